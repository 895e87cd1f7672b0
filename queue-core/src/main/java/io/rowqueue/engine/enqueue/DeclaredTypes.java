package io.rowqueue.engine.enqueue;

import io.rowqueue.JobRequest;
import io.rowqueue.JobType;
import io.rowqueue.PayloadConversionException;
import org.jspecify.annotations.Nullable;

/**
 * The declared types of an application. Their defaults also apply to requests that name
 * the type as a string.
 */
@FunctionalInterface
public interface DeclaredTypes {

	/** No declared types. */
	DeclaredTypes NONE = (name) -> null;

	/**
	 * Finds a type.
	 * @param name the type of a request
	 * @return the declared type, or {@code null} if the application has not declared it
	 */
	@Nullable JobType<?> find(String name);

	/**
	 * Checks what is about to be stored. By default everything is.
	 * @param request the job
	 * @param payload its payload as JSON, or {@code null} if it has none
	 * @throws PayloadConversionException if the job can never run
	 */
	default void check(JobRequest request, @Nullable String payload) {
	}

	/**
	 * Checks a payload that somebody has written. By default everything can be read.
	 * @param type the type of the job
	 * @param payload its payload as JSON, or {@code null} if it has none
	 * @throws PayloadConversionException if the handler of this process cannot read it
	 */
	default void check(String type, @Nullable String payload) {
	}

	/**
	 * Returns whether a transactional handler of the application runs a type. Before all
	 * singletons are created, no handler is known.
	 * @param type the type
	 * @return whether that is known
	 */
	default boolean isTransactional(String type) {
		return false;
	}

}

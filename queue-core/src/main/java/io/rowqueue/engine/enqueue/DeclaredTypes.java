package io.rowqueue.engine.enqueue;

import io.rowqueue.JobType;
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

}

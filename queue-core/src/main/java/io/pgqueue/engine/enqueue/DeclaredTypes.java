package io.pgqueue.engine.enqueue;

import io.pgqueue.JobType;
import org.jspecify.annotations.Nullable;

/**
 * The types of jobs that an application has declared, whose defaults also requests get
 * that name their type as a string.
 */
@FunctionalInterface
public interface DeclaredTypes {

	/** None. */
	DeclaredTypes NONE = (name) -> null;

	/**
	 * Finds a type.
	 * @param name the type of a request
	 * @return the declared type, or {@code null} if the application has not declared it
	 */
	@Nullable JobType<?> find(String name);

}

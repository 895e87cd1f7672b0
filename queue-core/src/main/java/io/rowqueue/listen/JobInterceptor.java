package io.rowqueue.listen;

import java.util.Map;

import io.rowqueue.JobContext;
import org.jspecify.annotations.Nullable;

/**
 * Surrounds each attempt: from before the payload is read until the handler has ended,
 * including its transaction if it has one. Declare it as a bean; several interceptors are
 * ordered by {@code @Order}, the first one outermost.
 *
 * @since 0.1.0
 */
public interface JobInterceptor {

	/**
	 * Intercepts an attempt. Implementations must call {@link Attempt#run()} once, and
	 * rethrow its exceptions. Any other exception fails the attempt.
	 * @param job the context of the attempt
	 * @param headers the headers that were stored with the job when it was enqueued
	 * @param attempt runs the attempt
	 * @param <T> the result type
	 * @return the result of the attempt; if it is replaced by {@code null}, the attempt
	 * fails
	 * @throws Exception the exception of the attempt
	 */
	<T extends @Nullable Object> T run(JobContext job, Map<String, String> headers, Attempt<T> attempt)
			throws Exception;

	/**
	 * The remainder of an attempt.
	 *
	 * @param <T> the result type
	 */
	@FunctionalInterface
	interface Attempt<T extends @Nullable Object> {

		/**
		 * Runs the remainder of the attempt.
		 * @return the result
		 * @throws Exception the exception of the handler or of an interceptor
		 */
		T run() throws Exception;

	}

}

package io.pgqueue.listen;

import java.util.Map;

import io.pgqueue.JobContext;
import org.jspecify.annotations.Nullable;

/**
 * Surrounds each attempt, from before the payload is read until the handler, and its
 * transaction if it has one, is over. Declare it as a bean; the order of several is that
 * of {@code @Order}, the first one outermost.
 *
 * @since 0.1.0
 */
public interface JobInterceptor {

	/**
	 * Runs an attempt: calls {@link Attempt#run()} once, and throws what that throws.
	 * What it throws by itself fails the attempt.
	 * @param job what is run
	 * @param headers what was kept on the job when it was enqueued
	 * @param attempt runs it
	 * @param <T> what comes of it
	 * @return what the attempt returned; {@code null} instead of that fails it
	 * @throws Exception what went wrong
	 */
	<T extends @Nullable Object> T run(JobContext job, Map<String, String> headers, Attempt<T> attempt)
			throws Exception;

	/**
	 * The rest of an attempt.
	 *
	 * @param <T> what comes of it
	 */
	@FunctionalInterface
	interface Attempt<T extends @Nullable Object> {

		/**
		 * Runs it.
		 * @return what came of it
		 * @throws Exception what went wrong
		 */
		T run() throws Exception;

	}

}

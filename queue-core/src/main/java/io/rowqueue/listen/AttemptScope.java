package io.rowqueue.listen;

import java.util.Map;

import io.rowqueue.JobContext;

/**
 * Surrounds a whole attempt: from before the first {@link JobInterceptor} until its
 * outcome is decided and logged. It is meant for data that those log lines should contain
 * as well, such as a logging context. Declare it as a bean; several scopes are ordered by
 * {@code @Order}, the first one outermost.
 *
 * @since 0.1.0
 */
@FunctionalInterface
public interface AttemptScope {

	/**
	 * Called in the thread of the attempt before it begins. An exception fails the
	 * attempt.
	 * @param job the context of the attempt
	 * @param headers the headers that were stored with the job when it was enqueued
	 * @return a handle that the same thread closes when the attempt ends
	 */
	Opened open(JobContext job, Map<String, String> headers);

	/**
	 * The scope of one attempt. Exceptions of its methods are logged and have no effect.
	 */
	@FunctionalInterface
	interface Opened {

		/**
		 * Called if the attempt has thrown an exception, before its outcome is decided.
		 * @param error the exception of the handler or of an interceptor
		 */
		default void failed(Throwable error) {
		}

		/** Called when the attempt has ended. */
		void close();

	}

}

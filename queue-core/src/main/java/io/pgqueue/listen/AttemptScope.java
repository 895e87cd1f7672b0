package io.pgqueue.listen;

import java.util.Map;

import io.pgqueue.JobContext;

/**
 * Lasts for a whole attempt: from before the first {@link JobInterceptor} until it is
 * decided what follows from its end, and logged. For what those log lines are to carry as
 * well. Declare it as a bean; the order of several is that of {@code @Order}, the first
 * one outermost.
 *
 * @since 0.1.0
 */
@FunctionalInterface
public interface AttemptScope {

	/**
	 * An attempt begins, in the calling thread. What this throws fails the attempt.
	 * @param job what is run
	 * @param headers what was kept on the job when it was enqueued
	 * @return told of the end by the same thread
	 */
	Opened open(JobContext job, Map<String, String> headers);

	/** A scope of one attempt. What its methods throw is logged and has no effect. */
	@FunctionalInterface
	interface Opened {

		/**
		 * The attempt has thrown something; it is not yet decided what follows from that.
		 * @param error what came out of the handler and the interceptors
		 */
		default void failed(Throwable error) {
		}

		/** The attempt is over. */
		void close();

	}

}

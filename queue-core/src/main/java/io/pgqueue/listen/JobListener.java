package io.pgqueue.listen;

import java.time.Duration;

import io.pgqueue.EnqueueResult;
import io.pgqueue.JobContext;
import io.pgqueue.JobRequest;

/**
 * Is told what happens to jobs in this process. Declare it as a bean. The methods are
 * called by the threads that enqueue and run jobs, which wait for them, or by a thread
 * that does nothing else: they should return at once, and what they throw is logged and
 * otherwise ignored. If that thread is 10,000 calls behind, further ones are dropped,
 * which is logged. Nothing is called for what other processes do.
 *
 * @since 0.1.0
 */
public interface JobListener {

	/** Wants to know nothing. */
	JobListener NONE = new JobListener() {
	};

	/**
	 * A job was stored, in the transaction of the caller: it exists when that commits.
	 * @param request what was asked for
	 * @param result the job that stands for it
	 */
	default void enqueued(JobRequest request, EnqueueResult result) {
	}

	/**
	 * A handler is about to be called.
	 * @param job the attempt
	 * @param waited how long it took since the job was due, by the database's clock until
	 * it was claimed and by this machine's from then on
	 */
	default void started(JobContext job, Duration waited) {
	}

	/**
	 * An attempt is over. That is written down a moment later, and {@link #refused
	 * refused} if the lease was lost meanwhile. Not called for an attempt that is known
	 * to be another worker's by now.
	 * @param job the attempt
	 * @param end what became of it
	 */
	default void ended(JobContext job, AttemptEnd end) {
	}

	/**
	 * A job has failed for good, and that is committed. Called after {@link #ended
	 * ended}, by a thread that does nothing else.
	 * @param job the last attempt
	 * @param end what became of it
	 */
	default void failed(JobContext job, AttemptEnd end) {
	}

	/**
	 * What became of an attempt does not count: the lease was another worker's when it
	 * was to be written down.
	 * @param job the attempt
	 */
	default void refused(JobContext job) {
	}

}

package io.rowqueue.listen;

import java.time.Duration;

import io.rowqueue.EnqueueResult;
import io.rowqueue.JobContext;
import io.rowqueue.JobRequest;

/**
 * Is notified of the jobs that this process enqueues and runs. Declare it as a bean. The
 * methods are called by the threads that enqueue and run jobs, or by a dedicated thread,
 * as stated below. They should return quickly, since these threads wait for them.
 * Exceptions are logged and otherwise ignored. If more than 10,000 calls wait for the
 * dedicated thread, further ones are dropped, which is logged.
 *
 * @since 0.1.0
 */
public interface JobListener {

	/** A listener that does nothing. */
	JobListener NONE = new JobListener() {
	};

	/**
	 * Called when a job was stored, in the transaction of the caller. The job exists only
	 * if that transaction commits.
	 * @param request the request
	 * @param result the result of the enqueue
	 */
	default void enqueued(JobRequest request, EnqueueResult result) {
	}

	/**
	 * Called before a handler is called.
	 * @param job the context of the attempt
	 * @param waited the time since the job was due, by the database's clock until the job
	 * was claimed, and by the clock of this machine from then on
	 */
	default void started(JobContext job, Duration waited) {
	}

	/**
	 * Called when an attempt has ended. The outcome is written shortly afterwards, and
	 * {@link #refused refused} if the lease was lost in the meantime. Not called if it is
	 * already known that the lease was lost.
	 * @param job the context of the attempt
	 * @param end the end of the attempt
	 */
	default void ended(JobContext job, AttemptEnd end) {
	}

	/**
	 * Called by the dedicated thread after {@link #ended ended}, when a job has failed
	 * permanently and that is committed.
	 * @param job the context of the last attempt
	 * @param end the end of that attempt
	 */
	default void failed(JobContext job, AttemptEnd end) {
	}

	/**
	 * Called if the outcome of an attempt was refused because the lease was lost.
	 * @param job the context of the attempt
	 */
	default void refused(JobContext job) {
	}

}

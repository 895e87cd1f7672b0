package io.rowqueue;

/**
 * Why a handler was asked to stop. If there are several reasons, the one that is declared
 * first here takes precedence.
 *
 * @since 0.1.0
 */
public enum StopReason {

	/**
	 * The worker was declared dead and has lost the lease, which another worker may hold
	 * by now. Nothing that this attempt returns, throws or reports has an effect, and the
	 * job may already run elsewhere: the handler should have no further side effects.
	 */
	LEASE_LOST,

	/** The job was cancelled. */
	CANCELLED,

	/**
	 * The attempt exceeds the timeout of its type. It fails, even if the handler returns
	 * normally.
	 */
	TIMED_OUT,

	/**
	 * The window of the job has closed, and its policy is to stop running jobs. If the
	 * handler ends because of the interruption, the worker releases the job.
	 */
	WINDOW_CLOSED,

	/**
	 * The worker shuts down. If the handler does not end in time, another worker runs the
	 * job again.
	 */
	SHUTDOWN

}

package io.pgqueue;

/**
 * Why a running job was asked to stop. When there is more than one reason, the earlier
 * one in this list is told.
 *
 * @since 0.1.0
 */
public enum StopReason {

	/**
	 * The job is another worker's by now, since this one was taken for dead. Nothing that
	 * this attempt returns, throws or reports counts any more, and the job may be running
	 * elsewhere: make no further effects.
	 */
	LEASE_LOST,

	/** Somebody cancelled the job. */
	CANCELLED,

	/** The attempt takes longer than its type may, and fails however it ends. */
	TIMED_OUT,

	/**
	 * Its window has closed, and is one that stops jobs: if the job ends with an
	 * interruption, it goes back to the queue.
	 */
	WINDOW_CLOSED,

	/** The worker shuts down; if the job does not end in time, another will run it. */
	SHUTDOWN

}

package io.pgqueue.wakeup;

/**
 * Whether a worker of this process is reached by the notifications of other processes.
 */
public enum Hearing {

	/** No worker listens: there is none, or it is not to. */
	OFF,

	/** A worker connects, and nothing is known yet. */
	STARTING,

	/** A notification came back that the worker sent itself a moment ago. */
	HEARS,

	/**
	 * Notifications do not arrive. The worker polls, and tries again each minute to hear.
	 */
	DEAF

}

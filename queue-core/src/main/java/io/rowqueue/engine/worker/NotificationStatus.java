package io.rowqueue.engine.worker;

/** Whether the notifications of other processes arrive at the worker of this one. */
public enum NotificationStatus {

	/** The worker does not listen: it is not meant to, or has no session yet. */
	OFF,

	/**
	 * The worker listens, and has not yet received a notification that it sent itself.
	 */
	CHECKING,

	/** The worker has received a notification that it sent itself a moment ago. */
	RECEIVING,

	/** Notifications do not arrive. The worker polls, and tries again each minute. */
	NOT_RECEIVING

}

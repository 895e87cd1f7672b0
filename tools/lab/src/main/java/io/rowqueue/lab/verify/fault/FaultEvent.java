package io.rowqueue.lab.verify.fault;

import org.jspecify.annotations.Nullable;

/**
 * Something that was done to the queue.
 *
 * @param nanos {@link System#nanoTime()}
 * @param kind what it does to those it hits
 * @param process the worker that it hits; {@code null}: all that use the database
 * @param text the text in the report
 */
public record FaultEvent(long nanos, Kind kind, @Nullable String process, String text) {

	/** Whether the event concerns a worker. */
	public boolean concerns(String other) {
		return this.process == null || this.process.equals(other);
	}

	/** What an event does. */
	public enum Kind {

		/** A process dies, freezes or loses the database: its jobs are run elsewhere. */
		HARM,

		/** A process is asked to shut down: it may hand back what it cannot finish. */
		STOP,

		/**
		 * The harm that was done to the same process, or to the database, has ended. From
		 * here on recovery of the database is counted. A process that dies has none.
		 */
		HEALED,

		/** An event for the report only. */
		NOTE

	}

}

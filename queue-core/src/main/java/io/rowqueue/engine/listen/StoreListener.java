package io.rowqueue.engine.listen;

import java.time.Duration;

/**
 * Is notified of the communication between this process and its database, by the threads
 * that do the work. Methods must return at once and must not throw exceptions.
 */
public interface StoreListener {

	/** A listener that does nothing. */
	StoreListener NONE = new StoreListener() {
	};

	/** A claim has returned. */
	default void claimed(int jobs, Duration took) {
	}

	/** A job was claimed. */
	default void claimed(String queue, String type) {
	}

	/** A job that was claimed ahead has waited too long for a slot, and is released. */
	default void released(String queue, String type) {
	}

	/** Outcomes of attempts were written or refused. */
	default void finished(int attempts, Duration took) {
	}

	/** A job was recovered from a dead worker. */
	default void recovered(String queue, String type) {
	}

	/** This process has handled a due time of a schedule with the given outcome. */
	default void due(String schedule, String outcome) {
	}

	/**
	 * A step of a handler was recorded, or skipped because it had been recorded before.
	 */
	default void step(String queue, String type, boolean replayed) {
	}

	/** The handler of an attempt has logged more lines for its job than are kept. */
	default void logLinesDropped(String queue, String type, int lines) {
	}

	/**
	 * The database has taken over a job that a broker delivered.
	 * @param reason {@code ended}, {@code long}, {@code step}, {@code again} or
	 * {@code unavailable}
	 */
	default void parked(String queue, String type, String reason) {
	}

	/** A job was cancelled because it had expired before it began. */
	default void expired(String queue, String type) {
	}

	/** Other processes were notified of jobs. */
	default void notified() {
	}

}

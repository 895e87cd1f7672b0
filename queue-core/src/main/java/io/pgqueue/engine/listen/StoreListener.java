package io.pgqueue.engine.listen;

import java.time.Duration;

/**
 * Is told what goes back and forth between this process and its database, by the threads
 * that do it: it must return at once and never throw.
 */
public interface StoreListener {

	/** Wants to know nothing. */
	StoreListener NONE = new StoreListener() {
	};

	/** A claim was answered. */
	default void claimed(int jobs, Duration took) {
	}

	/** A job was claimed. */
	default void claimed(String queue, String type) {
	}

	/** Ends of attempts were written down, or refused. */
	default void finished(int attempts, Duration took) {
	}

	/** A job was taken from a dead worker. */
	default void recovered(String queue, String type) {
	}

	/** A recurring job was due, and this process did to it what {@code outcome} says. */
	default void due(String schedule, String outcome) {
	}

	/**
	 * A step of a handler was recorded, or not done again since it was recorded before.
	 */
	default void step(String queue, String type, boolean replayed) {
	}

	/** Other processes were told of jobs. */
	default void notified() {
	}

}

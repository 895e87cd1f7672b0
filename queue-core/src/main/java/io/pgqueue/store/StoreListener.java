package io.pgqueue.store;

import java.time.Duration;
import java.util.List;

/**
 * Is told what goes back and forth between this process and its database, by the threads
 * that do it: it must return at once and never throw.
 */
public interface StoreListener {

	/** Wants to know nothing. */
	StoreListener NONE = new StoreListener() {
	};

	/** A claim was answered. */
	default void claimed(List<ClaimedJob> jobs, Duration took) {
	}

	/** Ends of attempts were written down, or refused. */
	default void finished(int attempts, Duration took) {
	}

	/** Jobs were taken from dead workers. */
	default void recovered(List<RecoveredJob> jobs) {
	}

	/** A recurring job was due, and this process saw to it. */
	default void due(String schedule, DueOutcome outcome) {
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

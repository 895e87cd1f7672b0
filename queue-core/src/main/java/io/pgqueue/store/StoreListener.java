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

	/** Other processes were told of jobs. */
	default void notified() {
	}

}

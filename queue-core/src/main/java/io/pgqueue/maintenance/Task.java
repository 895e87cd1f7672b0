package io.pgqueue.maintenance;

import java.time.Duration;

/** Something that one process of the cluster does at each interval. */
public interface Task {

	/** Names its row in the database. */
	String name();

	/** The time from one run to the next, in the whole cluster. */
	Duration interval();

	/**
	 * What each process does once, before it offers the task; what it throws is logged,
	 * and it is tried again.
	 */
	default void prepare() {
	}

	/** Whether this process offers to run it now; asking costs nothing. */
	boolean isReady();

	/** Whether the last run has left something to do, for another run soon. */
	default boolean isUnfinished() {
		return false;
	}

	/** Whether it must not wait for the others: it gets a thread of its own. */
	default boolean isUrgent() {
		return false;
	}

	/** Told that nobody knows what became of the others meanwhile. */
	default void databaseWasAway() {
	}

	/** Does it; whatever it throws is logged, and it is run again after the interval. */
	void run();

}

package io.rowqueue.engine.maintenance;

import java.time.Duration;

import io.rowqueue.engine.database.WhenDue;
import org.jspecify.annotations.Nullable;

/**
 * Something that keeps the queue in order, and that one process of the cluster does at a
 * time.
 */
public interface Task {

	/** What is due without the database knowing of it before is noticed so soon. */
	Duration LOOK_EVERY = Duration.ofMillis(450);

	/** Names its row in the database. */
	String name();

	/** The shortest time from one run to the next, in the whole cluster. */
	Duration interval();

	/** When there is something to do; {@code null}: at each interval. */
	default @Nullable WhenDue due() {
		return null;
	}

	/** How soon work must be noticed that was not foreseeable. */
	default Duration lookEvery() {
		return LOOK_EVERY;
	}

	/**
	 * What each process does once, before it offers the task; what it throws is logged,
	 * and it is tried again.
	 */
	default void prepare() {
	}

	/** Whether this process may run it now; asking costs nothing. */
	default boolean isReady() {
		return true;
	}

	/** Whether it is to run now even if the database knows of nothing to do. */
	default boolean insists() {
		return false;
	}

	/** Whether the last run has left something to do, for another run soon. */
	default boolean isUnfinished() {
		return false;
	}

	/**
	 * Whether the last run has left something that this process cannot do, and another
	 * one perhaps can: it gets the next turn, if there is one.
	 */
	default boolean yieldsTurn() {
		return false;
	}

	/** Whether it must not wait for the others: it gets a thread of its own. */
	default boolean isUrgent() {
		return false;
	}

	/** Whether the others must not wait for it: such tasks have a thread of their own. */
	default boolean isLong() {
		return false;
	}

	/** The database was away: what other processes did meanwhile is unknown. */
	default void databaseWasAway() {
	}

	/** Does it; whatever it throws is logged, and it is run again after the interval. */
	void run();

}

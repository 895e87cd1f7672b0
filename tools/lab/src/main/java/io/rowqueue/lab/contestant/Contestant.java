package io.rowqueue.lab.contestant;

import java.sql.SQLException;
import java.util.Optional;

/**
 * A queue in a fresh database, with its tables and no jobs. Its worker runs in this
 * process, once it is started; every job calls {@link Ledger#begin}.
 */
public interface Contestant {

	/** The version of the library. */
	String version();

	/** The settings under test, for the report. */
	String settings();

	/** Adds one job in a separate transaction. */
	void enqueue(int job) throws Exception;

	/** Adds the jobs from one number to another in one transaction, in the best way. */
	void enqueueAll(int from, int to) throws Exception;

	/** Adds the jobs from 0 on by SQL: millions of them take minutes in any other way. */
	void fill(int jobs) throws SQLException;

	/**
	 * Adds jobs by SQL that are due in a year and would go before all others.
	 * @throws UnsupportedOperationException if it has no priorities or no schedule, or if
	 * the lab has no such method for it
	 */
	default void fillScheduled(int jobs) throws SQLException {
		throw new UnsupportedOperationException("not written for it in this lab");
	}

	/**
	 * Adds jobs of twenty types with priorities, unique keys and failures.
	 * @throws UnsupportedOperationException if it lacks one of these, or if the lab has
	 * no such method for it
	 */
	default void enqueueMixed(int from, int to) {
		throw new UnsupportedOperationException("not written for it in this lab");
	}

	/** The table that has a row for each job that waits. */
	String table();

	/** An expression that is different for each job of its table, if there is one. */
	default Optional<String> number() {
		return Optional.empty();
	}

	/** What to select from to get a row for each job that waits or runs. */
	default String waiting() {
		return table();
	}

	/** Starts the worker. */
	void startWorker() throws Exception;

	/** Stops the worker in good order. */
	void stopWorker() throws Exception;

	/** Whether the database holds no job that is to run. */
	boolean isDrained() throws SQLException;

}

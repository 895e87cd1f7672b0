package io.rowqueue.engine.explain;

import io.rowqueue.engine.database.QueueDatabase;

/**
 * The parts of the database that an explanation reads.
 *
 * @param job reads the job and what it waits for
 * @param limits reads the limits that count it
 * @param all reads the jobs of a list
 */
public record ExplainDatabase(ExplainStatement job, LimitFactsStatement limits, ExplainAllStatement all) {

	/**
	 * Creates the parts.
	 * @param database runs each statement in a transaction of its own
	 */
	public ExplainDatabase(QueueDatabase database) {
		this(new ExplainStatement(database), new LimitFactsStatement(database), new ExplainAllStatement(database));
	}

}

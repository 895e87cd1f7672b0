package io.rowqueue.engine.explain;

import io.rowqueue.engine.database.QueueDatabase;

/**
 * The parts of the database that an explanation reads.
 *
 * @param job reads the job and what it waits for
 * @param limits reads the limits that count it
 * @param waits reads how far its limits and its batch are
 * @param all reads the jobs of a list
 * @param drain estimates when no job of a queue waits
 */
public record ExplainDatabase(ExplainStatement job, LimitFactsStatement limits, WaitFactsStatement waits,
		ExplainAllStatement all, DrainStatement drain) {

	/**
	 * Creates the parts.
	 * @param database runs each statement in a transaction of its own
	 */
	public ExplainDatabase(QueueDatabase database) {
		this(new ExplainStatement(database), new LimitFactsStatement(database), new WaitFactsStatement(database),
				new ExplainAllStatement(database), new DrainStatement(database));
	}

}

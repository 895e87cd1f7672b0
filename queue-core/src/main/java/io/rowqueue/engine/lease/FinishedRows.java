package io.rowqueue.engine.lease;

/** Inserts rows into the table of finished jobs. */
final class FinishedRows {

	private static final String INSERT = """
			insert into {schema}.job_finished (id, run_at, created_at, leased_at, worker_id, priority, attempt, max_attempts,
				queue, type, unique_key, last_error, payload, state, finished_at, result)
			select id, run_at, created_at, leased_at, worker_id, priority, attempt, max_attempts,
				queue, type, unique_key, last_error, payload, '%s', clock_timestamp(), %s
			from %s""";

	private FinishedRows() {
	}

	/**
	 * Returns the statement that inserts them.
	 * @param state the final state
	 * @param result an expression for the result
	 * @param from the rows as they were in the table of active jobs
	 */
	static String insert(String state, String result, String from) {
		return INSERT.formatted(state, result, from);
	}

}

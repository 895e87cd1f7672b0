package io.pgqueue.engine.lease;

/** How the rows of jobs that are over enter the table of finished ones. */
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
	 * The statement that inserts them.
	 * @param state how they are over
	 * @param result what they returned, an expression
	 * @param from the rows as they were in the table of active jobs
	 */
	static String insert(String state, String result, String from) {
		return INSERT.formatted(state, result, from);
	}

}

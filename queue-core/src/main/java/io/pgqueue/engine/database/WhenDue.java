package io.pgqueue.engine.database;

/**
 * Tells the database when a task has something to do, so that one statement looks for all
 * tasks and none runs for nothing.
 *
 * @param sql an expression for a time; {@code null}: there is nothing to do. It is
 * evaluated often, with any number of jobs: it must read no more than a few rows by an
 * index
 */
public record WhenDue(String sql) {

	/**
	 * When the first job is due that waits for its time, from the mark of a task; it may
	 * have a limit key. A mark ahead of the clock was written before that went back.
	 */
	private static final String FIRST_SCHEDULED = """
			(select run_at from {schema}.job where indexed_state = 'scheduled' and run_at >= coalesce(
				(select mark from {schema}.maintenance_task where name = '%s' and mark <= clock_timestamp()), '-infinity')
			order by run_at, id limit 1)""";

	/** At the earliest of several times. */
	public static WhenDue first(String... times) {
		return new WhenDue("least(" + String.join(",\n", times) + ")");
	}

	/** The first scheduled job that lies behind the mark of a task. */
	public static String firstScheduled(String task) {
		return FIRST_SCHEDULED.formatted(task);
	}

}

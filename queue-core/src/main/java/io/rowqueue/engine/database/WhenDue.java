package io.rowqueue.engine.database;

/**
 * An SQL expression for the time at which a task is due, so that one statement checks all
 * tasks, and no task runs without work.
 *
 * @param sql an expression for a time, which is null if there is no work. It is evaluated
 * frequently, with any number of jobs, and must read only a few rows by an index. The
 * column {@code idle} of {@code cluster} tells whether all workers are idle
 */
public record WhenDue(String sql) {

	/**
	 * When the first scheduled job after the mark of a task is due; the job may have a
	 * limit key. If a mark is ahead of the clock, the clock was set back. While all
	 * workers are idle, looks are rare and no other finds a job before the mark.
	 */
	private static final String FIRST_SCHEDULED = """
			(select run_at from {schema}.job where indexed_state = 'scheduled' and run_at >= coalesce(
				(select mark from {schema}.maintenance_task
				where name = '%s' and mark <= clock_timestamp() and not (select idle from cluster)), '-infinity')
			order by run_at, id limit 1)""";

	/** Returns the earliest of several times. */
	public static WhenDue first(String... times) {
		return new WhenDue("least(" + String.join(",\n", times) + ")");
	}

	/** Returns when the first scheduled job after the mark of a task is due. */
	public static String firstScheduled(String task) {
		return FIRST_SCHEDULED.formatted(task);
	}

}

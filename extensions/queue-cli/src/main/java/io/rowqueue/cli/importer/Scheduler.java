package io.rowqueue.cli.importer;

import org.springframework.jdbc.core.JdbcOperations;

/** A scheduler whose tables are in the database of the queue. */
public enum Scheduler {

	/** The table of db-scheduler. */
	DB_SCHEDULER("scheduled_tasks") {

		@Override
		public ImportPlan read(JdbcOperations jdbc, ImportOptions options) {
			return new DbSchedulerReader(options).read(jdbc);
		}

	},

	/** The tables of JobRunr. */
	JOBRUNR("jobrunr_") {

		@Override
		public ImportPlan read(JdbcOperations jdbc, ImportOptions options) {
			return new JobRunrReader(options).read(jdbc);
		}

	},

	/** The tables of Quartz. */
	QUARTZ("qrtz_") {

		@Override
		public ImportPlan read(JdbcOperations jdbc, ImportOptions options) {
			return new QuartzReader(options).read(jdbc);
		}

	};

	private final String tables;

	Scheduler(String tables) {
		this.tables = tables;
	}

	/** Returns the usual name of the table, or prefix of the tables. */
	public String tables() {
		return this.tables;
	}

	/**
	 * Reads what waits. Changes nothing.
	 * @param jdbc the database
	 * @param options how to read
	 * @return the plan
	 */
	public abstract ImportPlan read(JdbcOperations jdbc, ImportOptions options);

}

package io.rowqueue.cli.importer;

import java.sql.ResultSet;
import java.sql.SQLException;

import io.rowqueue.cli.importer.StoredData.UnreadableException;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.JdbcOperations;
import org.springframework.jdbc.core.RowCallbackHandler;

/**
 * Reads the table of db-scheduler. The name of a task becomes the type, its data the
 * payload, and its instance is kept in the unique key.
 */
record DbSchedulerReader(ImportOptions options) {

	private static final String RECURRING = "recurring";

	ImportPlan read(JdbcOperations jdbc) {
		ImportPlan plan = new ImportPlan();
		jdbc.query("select * from " + this.options.tables() + " where not picked order by execution_time",
				(RowCallbackHandler) (row) -> add(row, plan));
		return plan;
	}

	private void add(ResultSet row, ImportPlan plan) throws SQLException {
		String task = row.getString("task_name");
		String instance = row.getString("task_instance");
		String source = task + "/" + instance;
		if (instance.equals(RECURRING)) {
			plan.skip(source, "its schedule is in the code: declare it with @RecurringJob");
			return;
		}
		try {
			plan.jobs()
				.add(new ImportPlan.Job(source, this.options.type(task), payload(row),
						row.getTimestamp("execution_time").toInstant(), row.getInt("priority"), source,
						Removal.of(
								"delete from " + this.options.tables()
										+ " where task_name = ? and task_instance = ? and not picked and version = ?",
								task, instance, row.getLong("version"))));
		}
		catch (UnreadableException ex) {
			plan.skip(source, ex.reason());
		}
	}

	private @Nullable String payload(ResultSet row) throws SQLException, UnreadableException {
		StoredData data = new StoredData(row.getBytes("task_data"));
		try {
			return data.json();
		}
		catch (UnreadableException ex) {
			if (this.options.withoutData()) {
				return null;
			}
			throw ex;
		}
	}

}

package io.rowqueue.cli.importer;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

import io.rowqueue.cli.importer.StoredData.UnreadableException;
import io.rowqueue.schedule.Rhythm;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.JdbcOperations;
import org.springframework.jdbc.core.RowCallbackHandler;

/**
 * Reads the tables of Quartz. The class of a job becomes its type. Cron triggers and
 * simple triggers that repeat forever become schedules; simple triggers without a
 * repetition become jobs.
 */
record QuartzReader(ImportOptions options) {

	private static final String TRIGGERS = """
			select t.sched_name, t.trigger_name, t.trigger_group, t.next_fire_time, t.end_time, t.trigger_state, t.trigger_type, t.priority,
				t.job_data as trigger_data, j.job_data, j.job_class_name, c.cron_expression, c.time_zone_id,
				s.repeat_count, s.repeat_interval
			from {tables}triggers t join {tables}job_details j using (sched_name, job_name, job_group)
				left join {tables}cron_triggers c using (sched_name, trigger_name, trigger_group)
				left join {tables}simple_triggers s using (sched_name, trigger_name, trigger_group)
			where t.trigger_state in ('WAITING', 'PAUSED') order by t.next_fire_time""";

	private static final String DELETE = " where sched_name = ? and trigger_name = ? and trigger_group = ?";

	private static final String LOCK = """
			update {tables}triggers set trigger_state = trigger_state
			where sched_name = ? and trigger_name = ? and trigger_group = ? and trigger_state = ? and next_fire_time = ?""";

	ImportPlan read(JdbcOperations jdbc) {
		ImportPlan plan = new ImportPlan();
		jdbc.query(TRIGGERS.replace("{tables}", this.options.tables()), (RowCallbackHandler) (row) -> add(row, plan));
		return plan;
	}

	private void add(ResultSet row, ImportPlan plan) throws SQLException {
		String group = row.getString("trigger_group");
		String source = (group.equals("DEFAULT") ? "" : group + ".") + row.getString("trigger_name");
		try {
			add(row, source, plan);
		}
		catch (UnreadableException ex) {
			plan.skip(source, ex.reason());
		}
		catch (IllegalArgumentException ex) {
			plan.skip(source, String.valueOf(ex.getMessage()));
		}
	}

	private void add(ResultSet row, String source, ImportPlan plan) throws SQLException, UnreadableException {
		String className = row.getString("job_class_name");
		String type = this.options.type(className.substring(className.lastIndexOf('.') + 1));
		if (row.getLong("end_time") > 0) {
			plan.skip(source, "it has an end: a schedule repeats until it is removed");
			return;
		}
		switch (row.getString("trigger_type")) {
			case "CRON" -> plan.recurring()
				.add(new ImportPlan.Recurring(source, type, payload(row),
						QuartzCron.rhythm(row.getString("cron_expression"), row.getString("time_zone_id")),
						removal(row, "cron_triggers")));
			case "SIMPLE" -> addSimple(row, source, type, plan);
			default ->
				plan.skip(source, "a trigger of the type " + row.getString("trigger_type") + " has no counterpart");
		}
	}

	private void addSimple(ResultSet row, String source, String type, ImportPlan plan)
			throws SQLException, UnreadableException {
		long repetitions = row.getLong("repeat_count");
		if (repetitions == 0) {
			plan.jobs()
				.add(new ImportPlan.Job(source, type, payload(row), Instant.ofEpochMilli(row.getLong("next_fire_time")),
						0, null, removal(row, "simple_triggers")));
		}
		else if (repetitions < 0) {
			plan.recurring()
				.add(new ImportPlan.Recurring(source, type, payload(row),
						Rhythm.every(Duration.ofMillis(row.getLong("repeat_interval"))),
						removal(row, "simple_triggers")));
		}
		else {
			plan.skip(source, "it repeats " + repetitions + " times: a schedule repeats until it is removed");
		}
	}

	/**
	 * As a job of Quartz sees it: the data of the trigger is added to that of the job.
	 */
	private @Nullable String payload(ResultSet row) throws SQLException, UnreadableException {
		try {
			Map<Object, Object> data = new TreeMap<>(new StoredData(row.getBytes("job_data")).properties());
			data.putAll(new StoredData(row.getBytes("trigger_data")).properties());
			return data.isEmpty() ? null : StoredData.JSON.writeValueAsString(data);
		}
		catch (UnreadableException ex) {
			if (this.options.withoutData()) {
				return null;
			}
			throw ex;
		}
	}

	/**
	 * The first statement locks the trigger if it still waits for the same time. Its
	 * details refer to it and are deleted before it.
	 */
	private Removal removal(ResultSet row, String details) throws SQLException {
		List<Object> key = List.of(row.getString("sched_name"), row.getString("trigger_name"),
				row.getString("trigger_group"));
		List<Object> unchanged = new ArrayList<>(key);
		unchanged.add(row.getString("trigger_state"));
		unchanged.add(row.getLong("next_fire_time"));
		return new Removal(List.of(new Removal.Statement(LOCK.replace("{tables}", this.options.tables()), unchanged),
				new Removal.Statement("delete from " + this.options.tables() + details + DELETE, key),
				new Removal.Statement("delete from " + this.options.tables() + "triggers" + DELETE, key)));
	}

}

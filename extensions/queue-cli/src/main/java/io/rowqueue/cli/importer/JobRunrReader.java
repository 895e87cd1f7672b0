package io.rowqueue.cli.importer;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;

import io.rowqueue.schedule.Rhythm;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.JdbcOperations;
import org.springframework.jdbc.core.RowCallbackHandler;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;

/**
 * Reads the tables of JobRunr. The class and method that a job calls become its type, and
 * the arguments its payload: the argument itself if there is one, otherwise an array. Its
 * id, which the application may have chosen, becomes the unique key.
 */
record JobRunrReader(ImportOptions options) {

	private static final String CONTEXT = "org.jobrunr.jobs.context.JobContext";

	private static final int FIELDS_WITHOUT_SECONDS = 5;

	ImportPlan read(JdbcOperations jdbc) {
		ImportPlan plan = new ImportPlan();
		jdbc.query(
				"select * from " + this.options.tables()
						+ "jobs where state in ('SCHEDULED', 'ENQUEUED') order by createdat",
				(RowCallbackHandler) (row) -> addJob(row, plan));
		jdbc.query("select * from " + this.options.tables() + "recurring_jobs order by id",
				(RowCallbackHandler) (row) -> addRecurring(row, plan));
		return plan;
	}

	private void addJob(ResultSet row, ImportPlan plan) throws SQLException {
		String id = row.getString("id").strip();
		if (row.getString("recurringjobid") != null) {
			plan.skip(id,
					"it is a run of the recurring job " + row.getString("recurringjobid") + ", which enqueues others");
			return;
		}
		JsonNode details = StoredData.JSON.readTree(row.getString("jobasjson")).path("jobDetails");
		LocalDateTime scheduled = row.getString("state").equals("SCHEDULED")
				? row.getObject("scheduledat", LocalDateTime.class) : null;
		plan.jobs()
			.add(new ImportPlan.Job(id, type(details), payload(details), instant(scheduled), 0, id,
					Removal.of("delete from " + this.options.tables() + "jobs where id = ? and version = ?", id,
							row.getInt("version"))));
	}

	private void addRecurring(ResultSet row, ImportPlan plan) throws SQLException {
		String id = row.getString("id").strip();
		JsonNode job = StoredData.JSON.readTree(row.getString("jobasjson"));
		JsonNode details = job.path("jobDetails");
		try {
			plan.recurring()
				.add(new ImportPlan.Recurring(id, type(details), payload(details),
						rhythm(job.path("scheduleExpression").asString(""), job.path("zoneId").asString("UTC")),
						Removal.of("delete from " + this.options.tables() + "recurring_jobs where id = ?", id)));
		}
		catch (IllegalArgumentException ex) {
			plan.skip(id, String.valueOf(ex.getMessage()));
		}
	}

	private String type(JsonNode details) {
		String className = details.path("className").asString("");
		String method = className.substring(className.lastIndexOf('.') + 1) + "."
				+ details.path("methodName").asString("");
		return this.options.type(method);
	}

	private static @Nullable String payload(JsonNode details) {
		ArrayNode arguments = StoredData.JSON.createArrayNode();
		for (JsonNode parameter : details.path("jobParameters")) {
			if (!parameter.path("className").asString("").equals(CONTEXT)) {
				arguments.add(parameter.path("object"));
			}
		}
		return switch (arguments.size()) {
			case 0 -> null;
			case 1 -> arguments.get(0).toString();
			default -> arguments.toString();
		};
	}

	private static Rhythm rhythm(String expression, String zone) {
		if (expression.startsWith("P")) {
			return Rhythm.every(Duration.parse(expression));
		}
		String cron = (expression.strip().split("\\s+").length == FIELDS_WITHOUT_SECONDS) ? "0 " + expression.strip()
				: expression.strip();
		return Rhythm.cron(cron, ZoneId.of(zone).getId());
	}

	/** The column has no time zone and contains UTC. */
	private static @Nullable Instant instant(@Nullable LocalDateTime stored) {
		return (stored != null) ? stored.toInstant(ZoneOffset.UTC) : null;
	}

}

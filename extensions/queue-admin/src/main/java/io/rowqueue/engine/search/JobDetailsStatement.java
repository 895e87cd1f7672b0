package io.rowqueue.engine.search;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

import io.rowqueue.JobProgress;
import io.rowqueue.admin.FailedAttempt;
import io.rowqueue.admin.JobDetails;
import io.rowqueue.admin.JobDetails.FlowJob;
import io.rowqueue.admin.JobDetails.StoredText;
import io.rowqueue.engine.database.QueueDatabase;
import io.rowqueue.engine.database.Sql;
import io.rowqueue.engine.signal.WaitStore;
import io.rowqueue.engine.step.StepStore;
import org.jspecify.annotations.Nullable;

/** Reads one job with all that is known of it. */
public final class JobDetailsStatement {

	/**
	 * A live row changes with its version; one that has finished changes no more. The
	 * revision is not a secret, and no version is in a URL.
	 */
	private static final String JOB = """
			select %1$s, coalesce((select 'live-' || job.xmin::text from {schema}.job where id = j.id),
					(select 'follow-' || f.xmin::text from {schema}.job_follow_up f where id = j.id), 'finished') as revision,
				left(j.last_error, ?) as whole_error, length(j.last_error) as error_length,
				left(j.payload::text, ?) as payload, length(j.payload::text) as payload_length,
				left(f.result::text, ?) as result, length(f.result::text) as result_length,
				p.done, p.total, p.message, p.at, e.expires_at, s.flow_id, s.name as flow_job, s.flow_name, b.name as batch_name
			from %2$s j
			left join lateral (
				select result from {schema}.job_finished where id = j.id and j.finished_at = finished_at limit 1) f on true
			left join {schema}.job_progress p on p.job_id = j.id
			left join {schema}.job_expiry e on e.job_id = j.id
			left join lateral (
				select s.flow_id, s.name, flow.name as flow_name
				from {schema}.flow_job s join {schema}.flow on flow.id = s.flow_id where s.job_id = j.id) s on true
			left join {schema}.batch b on b.id = j.batch_id"""
		.formatted(JobRowStatement.COLUMNS, JobRowStatement.OF_ID.formatted("?"));

	private static final String FAILURES = """
			select failed_at, leased_at, worker_id, attempt, left(error, ?) as error from {schema}.job_failure
			where job_id = ? order by failed_at limit ?""";

	private static final String AFTER = """
			select d.predecessor_id from {schema}.job_dependency d join {schema}.job j on j.id = d.successor_id
			where d.successor_id = ? and (d.when_failed <> 'wake' or {schema}.awaits_jobs(j)) order by 1 limit ?""";

	private static final String LABELS = """
			select name, value from {schema}.job_tag where job_id = ? order by name, value""";

	private final QueueDatabase database;

	/**
	 * Creates the statement.
	 * @param database lends the connection
	 */
	public JobDetailsStatement(QueueDatabase database) {
		this.database = database;
	}

	/** Returns the job, or nothing if no job has the id. */
	public Optional<JobDetails> execute(long id) {
		int maxText = JobDetails.MAX_TEXT;
		return this.database.first(JOB, (row, index) -> details(id, row), maxText, maxText, maxText, id, id, id);
	}

	private JobDetails details(long id, ResultSet row) throws SQLException {
		List<Map.Entry<String, String>> labels = this.database.query(LABELS,
				(label, index) -> Map.entry(label.getString("name"), label.getString("value")), id);
		List<String> tags = labels.stream()
			.filter((label) -> label.getKey().isEmpty())
			.map(Map.Entry::getValue)
			.toList();
		Map<String, String> headers = labels.stream()
			.filter((label) -> !label.getKey().isEmpty())
			.collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
		return new JobDetails(JobRowStatement.job(row), row.getString("revision"),
				text(row, "whole_error", "error_length"), text(row, "payload", "payload_length"),
				text(row, "result", "result_length"), progress(row),
				failures(id, JobDetails.MAX_TEXT, JobDetails.MAX_ROWS), new StepStore(this.database).list(id),
				new WaitStore(this.database).list(id), flow(row), row.getString("batch_name"),
				this.database.query(AFTER, (found, index) -> found.getLong("predecessor_id"), id, JobDetails.MAX_AFTER),
				tags, headers, Sql.instant(row, "expires_at"));
	}

	/**
	 * Returns the failed attempts of a job.
	 * @param maxText the maximum length of an error
	 * @param maxRows the maximum number of attempts
	 */
	public List<FailedAttempt> failures(long id, int maxText, int maxRows) {
		return this.database.query(FAILURES,
				(row, index) -> new FailedAttempt(row.getInt("attempt"), Sql.instant(row, "leased_at"),
						Sql.time(row, "failed_at"), row.getObject("worker_id", Long.class), row.getString("error")),
				maxText, id, maxRows);
	}

	private static @Nullable StoredText text(ResultSet row, String column, String length) throws SQLException {
		String text = row.getString(column);
		return (text != null) ? new StoredText(text, row.getLong(length)) : null;
	}

	private static @Nullable JobProgress progress(ResultSet row) throws SQLException {
		Instant at = Sql.instant(row, "at");
		return (at != null) ? new JobProgress(row.getLong("done"), row.getLong("total"), row.getString("message"), at)
				: null;
	}

	private static @Nullable FlowJob flow(ResultSet row) throws SQLException {
		String name = row.getString("flow_job");
		return (name != null) ? new FlowJob(row.getLong("flow_id"), row.getString("flow_name"), name) : null;
	}

}

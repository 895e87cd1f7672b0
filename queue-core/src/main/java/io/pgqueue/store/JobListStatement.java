package io.pgqueue.store;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

import io.pgqueue.schema.SchemaName;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.JdbcOperations;

/**
 * Lists jobs by id, the latest first. It looks at {@value #MOST_READ} of them at most,
 * whatever the number of jobs and however few of them are asked for; jobs that have
 * failed or are leased are found among their own.
 */
final class JobListStatement {

	/** So many jobs are looked at for a page. */
	static final int MOST_READ = 10_000;

	/** So many jobs are on a page. */
	static final int MOST = 100;

	private static final String LIST = """
			with looked as materialized (
				select id, queue, type, state::text as state, priority, attempt, max_attempts, created_at, run_at, leased_at
				from {schema}.job where id < ?%s order by id desc limit %d)
			select seen.last, seen.jobs, page.*
			from (select min(id) as last, count(*) as jobs from looked) seen
				left join lateral (select looked.*, %s as most_attempts from looked
					where state = coalesce(?, state) and queue = coalesce(?, queue) and type = coalesce(?, type)
					order by id desc limit %d) page on true""";

	private final JdbcOperations jdbc;

	private final SchemaName schema;

	JobListStatement(JdbcOperations jdbc, SchemaName schema) {
		this.jdbc = jdbc;
		this.schema = schema;
	}

	JobPage execute(@Nullable String state, @Nullable String queue, @Nullable String type, long before) {
		List<JobView> jobs = new ArrayList<>();
		List<Long> next = this.jdbc.query(
				Sql.in(this.schema,
						LIST.formatted(among(state), MOST_READ, MaxAttempts.OF_ROW.formatted("looked"), MOST)),
				(row, index) -> {
					if (row.getObject("id") != null) {
						jobs.add(job(row));
					}
					return (row.getLong("jobs") < MOST_READ) ? 0L : row.getLong("last");
				}, before, state, queue, type);
		boolean full = jobs.size() == MOST;
		long last = full ? jobs.get(MOST - 1).id() : next.get(0);
		return new JobPage(List.copyOf(jobs), (last > 0) ? last : null);
	}

	/** Those that are few among many are found by what leads to them. */
	private static String among(@Nullable String state) {
		if ("failed".equals(state)) {
			return " and indexed_state = 'failed'";
		}
		return ("starting".equals(state) || "running".equals(state))
				? " and id = any (array(select id from {schema}.leased_jobs))" : "";
	}

	private static JobView job(ResultSet row) throws SQLException {
		return new JobView(row.getLong("id"), row.getString("queue"), row.getString("type"), row.getString("state"),
				row.getInt("priority"), row.getInt("attempt"), Sql.integer(row, "most_attempts"),
				Sql.time(row, "created_at"), Sql.time(row, "run_at"), Sql.instant(row, "leased_at"));
	}

}

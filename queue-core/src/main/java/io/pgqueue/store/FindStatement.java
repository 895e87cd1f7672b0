package io.pgqueue.store;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Optional;

import io.pgqueue.schema.SchemaName;
import io.pgqueue.Job;
import io.pgqueue.JobProgress;
import io.pgqueue.JobState;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.JdbcOperations;

/** Reads one job, active, finished, or behind another one with its key. */
final class FindStatement {

	private static final String FIND = """
			select j.id, j.type, j.queue, j.state, j.priority, j.attempt, j.max_attempts, j.run_at, j.created_at, j.leased_at,
				j.finished_at, j.unique_key, j.last_error, %s as payload, %s as result, p.done, p.total, p.message, p.at
			from (
				select id, type, queue, state::text as state, priority, attempt, max_attempts, run_at, created_at, leased_at,
					null::timestamptz as finished_at, unique_key, last_error, payload, null::json as result
				from {schema}.job where id = ?
				union all
				select id, type, queue, 'scheduled', priority, 0, max_attempts, run_at, created_at, null, null, unique_key,
					null, payload, null
				from {schema}.job_follow_up where id = ?
				union all
				select id, type, queue, state::text, priority, attempt, max_attempts, run_at, created_at, leased_at,
					finished_at, unique_key, last_error, payload, result
				from {schema}.job_finished where id = ?
				limit 1) j
			left join {schema}.job_progress p on p.job_id = j.id""";

	/** What is longer may not fit into memory, and is cut by the server. */
	private static final String CUT = """
			case when length(j.%1$s::text) <= ? then j.%1$s::text
				else left(j.%1$s::text, ?) || '... (' || length(j.%1$s::text) || ' characters)' end""";

	private final JdbcOperations jdbc;

	private final String find;

	private final String findCut;

	FindStatement(JdbcOperations jdbc, SchemaName schema) {
		this.jdbc = jdbc;
		this.find = Sql.in(schema, FIND.formatted("j.payload", "j.result"));
		this.findCut = Sql.in(schema, FIND.formatted(CUT.formatted("payload"), CUT.formatted("result")));
	}

	Optional<Job> execute(long id) {
		return this.jdbc.query(this.find, (row, index) -> job(row), id, id, id).stream().findFirst();
	}

	/** The payload and the result are cut after so many characters. */
	Optional<Job> execute(long id, int longest) {
		return this.jdbc.query(this.findCut, (row, index) -> job(row), longest, longest, longest, longest, id, id, id)
			.stream()
			.findFirst();
	}

	private static Job job(ResultSet row) throws SQLException {
		return new Job(row.getLong("id"), row.getString("type"), row.getString("queue"),
				JobState.of(row.getString("state")), row.getInt("priority"), row.getInt("attempt"),
				Sql.integer(row, "max_attempts"), Sql.time(row, "run_at"), Sql.time(row, "created_at"),
				Sql.instant(row, "leased_at"), Sql.instant(row, "finished_at"), row.getString("unique_key"),
				row.getString("last_error"), row.getString("payload"), row.getString("result"), progress(row));
	}

	private static @Nullable JobProgress progress(ResultSet row) throws SQLException {
		Instant at = Sql.instant(row, "at");
		return (at != null) ? new JobProgress(row.getLong("done"), row.getLong("total"), row.getString("message"), at)
				: null;
	}

}

package io.pgqueue.store;

import java.time.ZoneOffset;
import java.util.Collection;
import java.util.List;

import io.pgqueue.schema.SchemaName;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.JdbcOperations;

/**
 * Puts leased jobs off; the attempt does not count. A job that is to be cancelled is
 * queued at once, for the next claim to find that.
 */
final class SnoozeStatement {

	private static final String SNOOZE = """
			with attempt as materialized (
				select id, case when cancel_requested then clock_timestamp() else greatest(clock_timestamp(), coalesce(
					(?::timestamptz[])[array_position(?::bigint[], id)],
					clock_timestamp() + (?::bigint[])[array_position(?::bigint[], id)]::float8 * interval '1 microsecond')) end as due
				from {schema}.job
				where {briefly} and id = any (?) and worker_id = ? and lease = (?::integer[])[array_position(?::bigint[], id)]
				order by id for update)
			update {schema}.job j
			set state = (case when attempt.due <= clock_timestamp() then 'queued' else 'scheduled' end)::{schema}.job_state,
				run_at = attempt.due, order_at = attempt.due + coalesce(j.tolerance, interval '0'),
				attempt = j.attempt - 1, worker_id = null
			from attempt
			where j.id = attempt.id and j.id = any (?)
			returning j.id""";

	private final JdbcOperations jdbc;

	private final String snooze;

	SnoozeStatement(JdbcOperations jdbc, SchemaName schema) {
		this.jdbc = jdbc;
		this.snooze = Sql.in(schema, SNOOZE);
	}

	/** Returns the ids of the jobs that were written; any other lease was lost. */
	List<Long> execute(long workerId, Collection<Snooze> snoozes) {
		List<Lease> leases = snoozes.stream().map(Snooze::lease).toList();
		return this.jdbc.query(this.snooze, (statement) -> {
			statement.setArray(1, Sql.array(statement, "timestamptz", snoozes, SnoozeStatement::until));
			statement.setArray(2, Sql.ids(statement, leases));
			statement.setArray(3, Sql.array(statement, "bigint", snoozes, SnoozeStatement::delay));
			statement.setArray(4, Sql.ids(statement, leases));
			Sql.bindLeases(statement, 5, workerId, leases);
			statement.setArray(9, Sql.ids(statement, leases));
		}, (row, index) -> row.getLong("id"));
	}

	private static @Nullable Object until(Snooze snooze) {
		return (snooze.until() != null) ? snooze.until().atOffset(ZoneOffset.UTC).toString() : null;
	}

	private static @Nullable Object delay(Snooze snooze) {
		return (snooze.delay() != null) ? Sql.micros(snooze.delay()) : null;
	}

}

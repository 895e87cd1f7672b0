package io.rowqueue.engine.schedule;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;

import io.rowqueue.ScheduleHeaders;
import io.rowqueue.engine.database.QueueDatabase;
import io.rowqueue.engine.schedule.ScheduleStore.ScheduledJob;
import org.jspecify.annotations.Nullable;

/**
 * Enqueues a job of a schedule now, unless the previous one has not finished and the
 * overlap policy is to skip. The decision is valid only for the revision that the
 * statement sees: if another transaction has enqueued a job meanwhile, the statement
 * changes nothing and is executed again.
 */
final class TriggerStatement {

	private static final String TRIGGER = """
			with seen as materialized (
				select s.name, s.revision, s.overlap = 'skip' and exists (
					select from {schema}.job j where j.id = s.last_job_id and j.state <> 'failed') as held
				from {schema}.schedule s where s.name = ?),
			called as (
				update {schema}.schedule s
				set last_job_id = nextval('{schema}.job_id_seq'), last_due_at = clock_timestamp(),
					last_run_at = clock_timestamp(), revision = s.revision + 1
				from seen where s.name = seen.name and s.revision = seen.revision and not seen.held
				returning s.*),
			noted as (
				insert into {schema}.schedule_run (name, due_at, job_id, origin)
				select name, last_due_at, last_job_id, 'triggered' from called),
			stored as (
				insert into {schema}.job (id, queue, type, priority, max_attempts, run_at, tolerance, limit_key, limit_units, headers,
					payload, order_at, state)
				select last_job_id, queue, type, priority, max_attempts, last_due_at, tolerance, limit_key, limit_units, json_build_object('%s', name, '%s',
					to_char(last_due_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')), payload,
					{schema}.deadline(last_due_at, tolerance), {schema}.initial_state(last_due_at, limit_key)
				from called returning id, queue, type, limit_key is not null as limited)
			select seen.held, stored.* from seen left join stored on true"""
		.formatted(ScheduleHeaders.NAME, ScheduleHeaders.DUE_AT);

	private final QueueDatabase database;

	TriggerStatement(QueueDatabase database) {
		this.database = database;
	}

	Optional<ScheduledJob> execute(String name) {
		List<Seen> seen;
		do {
			seen = this.database.query(TRIGGER, (row, index) -> new Seen(row.getBoolean("held"), job(name, row)), name);
		}
		while (seen.stream().anyMatch(Seen::wasChanged));
		return seen.stream().findFirst().map(Seen::job);
	}

	private static @Nullable ScheduledJob job(String name, ResultSet row) throws SQLException {
		Long id = row.getObject("id", Long.class);
		return (id == null) ? null : new ScheduledJob(name, row.getString("type"), row.getString("queue"),
				row.getBoolean("limited"), id, false);
	}

	private record Seen(boolean held, @Nullable ScheduledJob job) {

		boolean wasChanged() {
			return !this.held && this.job == null;
		}

	}

}

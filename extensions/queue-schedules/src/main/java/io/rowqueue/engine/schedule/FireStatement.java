package io.rowqueue.engine.schedule;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;

import io.rowqueue.engine.database.QueueDatabase;
import io.rowqueue.engine.database.Sql;
import io.rowqueue.engine.schedule.ScheduleRun.DueTime;
import io.rowqueue.engine.schedule.ScheduleStore.ScheduledJob;
import org.jspecify.annotations.Nullable;

/** Enqueues jobs of schedules and updates these, in one statement. */
final class FireStatement {

	/**
	 * If two processes have read the same due time, the revision has changed for the
	 * second one, which does nothing. A schedule that another transaction is changing is
	 * left for the next run, since a transaction that triggers a schedule may commit much
	 * later.
	 */
	private static final String FIRE = """
			with run as materialized (
				select r.name, r.revision, r.next_run_at, s.overlap = 'skip' and exists (
					select from {schema}.job j where j.id = s.last_job_id and j.state <> 'failed') as held
				from unnest(?::text[], ?::bigint[], ?::timestamptz[]) as r (name, revision, next_run_at)
					join {schema}.schedule s on s.name = r.name and s.revision = r.revision
				for no key update of s skip locked),
			due as materialized (
				select nextval('{schema}.job_id_seq') as id, d.*
				from (select t.* from unnest(?::text[], ?::timestamptz[], ?::timestamptz[], ?::text[]) with ordinality
						as t (name, due_at, run_at, due_text, ord) join run on run.name = t.name and not run.held
					order by t.ord) d),
			moved as (
				update {schema}.schedule s
				set next_run_at = run.next_run_at, revision = s.revision + 1,
					last_due_at = coalesce((select max(due_at) from due where due.name = s.name), s.last_due_at),
					last_job_id = coalesce((select max(id) from due where due.name = s.name), s.last_job_id),
					last_run_at = case when exists (select from due where due.name = s.name) then clock_timestamp()
						else s.last_run_at end,
					last_skipped_at = case when run.held then clock_timestamp() else s.last_skipped_at end
				from run where s.name = run.name and s.revision = run.revision
				returning s.*, run.held),
			noted as (
				insert into {schema}.schedule_run (name, due_at, job_id, origin)
				select due.name, due.due_at, due.id, 'due' from due join moved using (name))
			select m.name, m.type, m.queue, m.limit_key is not null as limited, m.held,
				{schema}.enqueue_scheduled(m.name, due.id, due.due_text, due.run_at) as id
			from moved m left join due using (name) order by due.ord""";

	/**
	 * The decision is valid only for the revision that the statement sees: if another
	 * transaction has enqueued a job meanwhile, the statement changes nothing and is
	 * executed again.
	 */
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
				select name, last_due_at, last_job_id, 'triggered' from called)
			select seen.held, called.queue, called.type, called.limit_key is not null as limited,
				{schema}.enqueue_scheduled(called.name, called.last_job_id,
					to_char(called.last_due_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'), called.last_due_at) as id
			from seen left join called on true""";

	private final QueueDatabase database;

	FireStatement(QueueDatabase database) {
		this.database = database;
	}

	/** Enqueues the jobs of due times. */
	List<ScheduledJob> fire(List<ScheduleRun> runs) {
		List<Due> due = runs.stream()
			.flatMap((run) -> run.dueTimes().stream().map((time) -> new Due(run, time)))
			.toList();
		return this.database.query(FIRE, (statement) -> {
			statement.setArray(1, Sql.array(statement, "text", runs, ScheduleRun::name));
			statement.setArray(2, Sql.array(statement, "bigint", runs, ScheduleRun::revision));
			statement.setArray(3, Sql.array(statement, "timestamptz", runs, (run) -> Sql.text(run.nextRunAt())));
			statement.setArray(4, Sql.array(statement, "text", due, (each) -> each.run().name()));
			statement.setArray(5, Sql.array(statement, "timestamptz", due, (each) -> Sql.text(each.time().dueAt())));
			statement.setArray(6, Sql.array(statement, "timestamptz", due, (each) -> Sql.text(each.time().runAt())));
			statement.setArray(7, Sql.array(statement, "text", due, (each) -> Sql.text(each.time().dueAt())));
		}, (row, index) -> new ScheduledJob(row.getString("name"), row.getString("type"), row.getString("queue"),
				row.getBoolean("limited"), row.getObject("id", Long.class), row.getBoolean("held")));
	}

	/**
	 * Enqueues a job of a schedule now, unless the previous one has not finished and the
	 * overlap policy is to skip.
	 */
	Optional<ScheduledJob> trigger(String name) {
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

	private record Due(ScheduleRun run, DueTime time) {

	}

}

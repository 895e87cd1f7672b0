package io.rowqueue.engine.schedule;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

import io.rowqueue.engine.database.QueueDatabase;
import io.rowqueue.engine.database.Sql;
import io.rowqueue.engine.wakeup.Arrivals;
import io.rowqueue.schedule.Occurrences;
import org.jspecify.annotations.Nullable;

/**
 * Enqueues jobs for due times that have passed. What it decides is valid only for the
 * revision of the schedule that was read before: if another transaction has changed the
 * schedule meanwhile, or has filled the same range, the statement does nothing.
 */
final class BackfillStatement {

	private static final String READ = """
			select s.revision, s.next_run_at, s.paused_at is not null as paused, clock_timestamp() as now, %s
			from {schema}.schedule s where s.name = ?""".formatted(ScheduleColumnsStatement.COLUMNS);

	/** A due time that has a job, or, if it is computed again, one that has not ended. */
	private static final String HAS_JOB = """
			exists (
				select from {schema}.schedule_run r where r.name = ? and r.due_at = t.due_at and (not ?::boolean or exists (
					select from {schema}.job j where j.id = r.job_id and j.state <> 'failed')))""";

	private static final String COUNT = "select count(*) as jobs from unnest(?::text[]::timestamptz[]) as t (due_at) where not "
			+ HAS_JOB;

	private static final String ENQUEUE = """
			with filled as (
				update {schema}.schedule s set revision = s.revision + 1 where s.name = ? and s.revision = ? returning s.*),
			due as materialized (
				select nextval('{schema}.job_id_seq') as id, d.* from (
					select t.due_at, t.due_text
					from filled, unnest(?::text[]::timestamptz[], ?::text[]) with ordinality as t (due_at, due_text, ord)
					where not %s order by t.ord) d),
			noted as (
				insert into {schema}.schedule_run (name, due_at, job_id, origin)
				select filled.name, due.due_at, due.id, 'backfill' from filled, due)
			select filled.queue, filled.limit_key is not null as limited, (
				select count({schema}.enqueue_scheduled(f.name, due.id, due.due_text, statement_timestamp()))
				from filled f, due) as jobs
			from filled"""
		.formatted(HAS_JOB);

	private final QueueDatabase database;

	BackfillStatement(QueueDatabase database) {
		this.database = database;
	}

	Optional<Seen> read(String name) {
		CalendarDaysStatement calendars = new CalendarDaysStatement();
		Optional<Seen> seen = this.database
			.query(READ,
					(row, index) -> new Seen(name, row.getLong("revision"),
							ScheduleColumnsStatement.occurrences(row, calendars), Sql.instant(row, "next_run_at"),
							row.getBoolean("paused"), Sql.time(row, "now")),
					name)
			.stream()
			.findFirst();
		calendars.read(this.database);
		return seen;
	}

	/** Returns how many of the due times would get a job. */
	int count(Seen schedule, List<Instant> times, boolean again) {
		return this.database.query(COUNT, (row, index) -> row.getInt("jobs"), texts(times), schedule.name(), again)
			.get(0);
	}

	/** Enqueues the jobs; empty if the schedule has changed since it was read. */
	Optional<Filled> enqueue(Seen schedule, List<Instant> times, boolean again) {
		String[] texts = texts(times);
		return this.database
			.query(ENQUEUE,
					(row, index) -> new Filled(row.getInt("jobs"),
							Arrivals.of(row.getString("queue"), row.getBoolean("limited"))),
					schedule.name(), schedule.revision(), texts, texts, schedule.name(), again)
			.stream()
			.findFirst();
	}

	private static String[] texts(List<Instant> times) {
		return times.stream().map(Instant::toString).toArray(String[]::new);
	}

	/**
	 * A schedule as it was read.
	 *
	 * @param name the name
	 * @param revision the revision of its row
	 * @param occurrences its due times
	 * @param nextRunAt the next due time, or {@code null}
	 * @param paused whether it is paused, so that past due times are not handled
	 * @param now when the row was read, by the database's clock
	 */
	record Seen(String name, long revision, Occurrences occurrences, @Nullable Instant nextRunAt, boolean paused,
			Instant now) {

	}

	/** The number of jobs, and what is reported to workers. */
	record Filled(int jobs, Arrivals arrivals) {

	}

}

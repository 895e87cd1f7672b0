package io.rowqueue.engine.schedule;

import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

import io.rowqueue.JobState;
import io.rowqueue.engine.database.QueueDatabase;
import io.rowqueue.engine.database.ReadableRows;
import io.rowqueue.engine.database.Sql;
import io.rowqueue.engine.database.WhenDue;
import io.rowqueue.schedule.JobCalendar;
import io.rowqueue.schedule.Occurrences;
import io.rowqueue.schedule.Schedule;
import io.rowqueue.schedule.ScheduleStatus;
import io.rowqueue.schedule.ScheduledRun;
import io.rowqueue.schedule.ScheduledRun.Origin;
import io.rowqueue.schedule.Schedules;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.util.Assert;

/**
 * The stored schedules. Every method is one statement, so that no lock is held while a
 * process computes times. All methods throw
 * {@link org.springframework.dao.DataAccessException} if the database rejects the
 * statement or is not available.
 */
public final class ScheduleStore {

	/** The maximum number of schedules that {@link #list} returns. */
	public static final int MAX_SCHEDULES = 1000;

	/**
	 * Unchanged rows are not written, since every process declares all when it starts.
	 */
	private static final String DISABLED = """
			(s.undeclared_at is not null and s.undeclared_at < clock_timestamp() - interval '1 minute')""";

	/** A schedule that another transaction is changing is left for the next run. */
	private static final String DUE = """
			select s.name, s.revision, s.missed, s.next_run_at, clock_timestamp() as now, %s
			from {schema}.schedule s
			where s.next_run_at <= clock_timestamp() and s.paused_at is null and not %s
			order by s.next_run_at limit ? for share skip locked""".formatted(ScheduleColumnsStatement.COLUMNS,
			DISABLED);

	/** A worker that is declared dead for a moment changes nothing. */
	private static final String DECLARED = """
			with seen as materialized (
				select s.name, exists (
					select from {schema}.worker w where w.dead_at is null and 'schedule:' || s.name = any (w.declarations)) as declared
				from {schema}.schedule s where s.source <> 'code'),
			changed as materialized (
				select s.name, seen.declared from {schema}.schedule s join seen on seen.name = s.name
				where seen.declared = (s.undeclared_at is not null)
					and (seen.declared or s.declared_at < clock_timestamp() - interval '1 minute')
				for no key update of s skip locked)
			update {schema}.schedule s
			set undeclared_at = case when changed.declared then null else clock_timestamp() end, revision = s.revision + 1
			from changed where s.name = changed.name
			returning s.name, changed.declared""";

	/**
	 * The next due time is further ahead than the interval: it was stored before the
	 * clock of the server was set back. The interval is still counted from where it was.
	 */
	private static final String BRING_BACK = """
			update {schema}.schedule
			set next_run_at = next_run_at - floor(extract(epoch from next_run_at - greatest(clock_timestamp(), starts_at))
				/ extract(epoch from every))::double precision * every, revision = revision + 1
			where name in (
				select name from {schema}.schedule where next_run_at > greatest(clock_timestamp(), starts_at) + every
				for no key update skip locked)""";

	private static final String PAUSE = """
			update {schema}.schedule set paused_at = clock_timestamp(), pause_reason = ?, revision = revision + 1
			where name = ? and paused_at is null""";

	private static final String RESUME = """
			update {schema}.schedule
			set paused_at = null, pause_reason = null, next_run_at = ?::timestamptz, revision = revision + 1
			where name = ? and paused_at is not null and next_run_at is not distinct from ?::timestamptz""";

	private static final String REMOVE = """
			with runs as (delete from {schema}.schedule_run where name = ?)
			delete from {schema}.schedule where name = ?""";

	/** A job ends after it was enqueued, apart from a clock that was set back. */
	private static final String LATEST_RUNS = """
			select r.job_id, r.due_at, r.enqueued_at, r.origin, coalesce(j.state, f.state)::text as state,
				coalesce(j.attempt, f.attempt, 0) as attempt, coalesce(j.leased_at, f.leased_at) as leased_at,
				case when j.id is null then f.finished_at when j.state = 'failed' then (
					select max(x.failed_at) from {schema}.job_failure x where x.job_id = r.job_id) end as finished_at
			from (select * from {schema}.schedule_run where name = ? order by job_id desc limit ?) r
			left join lateral (
				select id, state, attempt, leased_at from {schema}.job where id = r.job_id limit 1) j on true
			left join lateral (
				select e.state, e.attempt, e.leased_at, e.finished_at from {schema}.job_finished e
				where e.id = r.job_id and e.finished_at > r.enqueued_at - interval '1 day' limit 1) f on j.id is null
			order by r.job_id desc""";

	private static final String PRUNE_RUNS = """
			delete from {schema}.schedule_run r using (
				select s.name, (select o.job_id from {schema}.schedule_run o where o.name = s.name
					order by o.job_id desc offset %s limit 1) as job_id from {schema}.schedule s) old
			where r.name = old.name and r.job_id <= old.job_id""".formatted(Schedules.KEPT_RUNS);

	/** Of schedules that were removed while they enqueued. */
	private static final String PRUNE_REMOVED = """
			delete from {schema}.schedule_run r
			where not exists (select from {schema}.schedule s where s.name = r.name)""";

	private static final String FIND = """
			select s.*, %s, %s as disabled from {schema}.schedule s
			where s.name = coalesce(?, s.name)
			order by s.next_run_at, s.name limit ?""".formatted(ScheduleColumnsStatement.COLUMNS, DISABLED);

	/** When the next schedule is due. */
	public static final WhenDue NEXT = new WhenDue("""
			(select s.next_run_at from {schema}.schedule s where s.paused_at is null and not %s
			order by s.next_run_at limit 1)""".formatted(DISABLED));

	private static final Logger logger = LoggerFactory.getLogger(ScheduleStore.class);

	private final QueueDatabase database;

	private final PutScheduleStatement put;

	private final FireStatement fire;

	private final BackfillStatement backfill;

	private final CalendarStore calendars;

	/** A schedule that cannot be read when it is due stays due. */
	private final ReadableRows rows = new ReadableRows(logger,
			"This process cannot read the schedule '{}' and does not run it: {}. Store it again, or remove it with"
					+ " Schedules.remove");

	private volatile boolean leftDue;

	/**
	 * Creates the store.
	 * @param database runs the statements
	 */
	public ScheduleStore(QueueDatabase database) {
		this.database = database;
		this.put = new PutScheduleStatement(database);
		this.fire = new FireStatement(database);
		this.backfill = new BackfillStatement(database);
		this.calendars = new CalendarStore(database, this.rows);
	}

	/** Returns the current time of the database's clock. */
	public Instant now() {
		return this.database.now();
	}

	/** Stores a schedule, and replaces an existing one with the same name. */
	public void put(NewSchedule added) {
		this.put.execute(added);
	}

	/** Returns due schedules that this process can read, the most overdue first. */
	public List<DueSchedule> due(int limit) {
		CalendarDaysStatement calendars = new CalendarDaysStatement();
		List<Optional<DueSchedule>> due = this.database.query(DUE,
				(row, index) -> this.rows.read(row, (each) -> ScheduleColumnsStatement.due(each, calendars)),
				limit + this.rows.unreadable());
		calendars.read(this.database);
		this.leftDue = due.stream().anyMatch(Optional::isEmpty);
		return due.stream().flatMap(Optional::stream).limit(limit).toList();
	}

	/** Whether the latest {@link #due} has left out schedules. */
	public boolean hasLeftDue() {
		return this.leftDue;
	}

	/**
	 * Enqueues jobs and updates the schedules that no other process has updated
	 * meanwhile.
	 */
	public List<ScheduledJob> fire(List<ScheduleRun> runs) {
		return this.fire.fire(runs);
	}

	/**
	 * Records which schedules are no longer declared by a live worker, and which are
	 * declared again.
	 */
	public List<Declared> noteDeclared() {
		return this.database.query(DECLARED,
				(row, index) -> new Declared(row.getString("name"), row.getBoolean("declared")));
	}

	/**
	 * Corrects schedules with an interval whose next due time is too far ahead. Due times
	 * of a cron expression are never repeated.
	 */
	public void bringBack() {
		this.database.update(BRING_BACK);
	}

	/** Pauses a schedule; returns false if it does not exist or is already paused. */
	public boolean pause(String name, @Nullable String reason) {
		return this.database.update(PAUSE, reason, name) == 1;
	}

	/**
	 * Resumes a schedule.
	 * @param nextRunAt its next due time
	 * @param seen the one that it had when this was computed
	 * @return whether it was paused and has not changed
	 */
	boolean resume(String name, @Nullable Instant nextRunAt, @Nullable Instant seen) {
		return this.database.update(RESUME, Sql.text(nextRunAt), name, Sql.text(seen)) == 1;
	}

	/**
	 * Enqueues a job of a schedule now, unless the previous one has not finished and the
	 * overlap policy is to skip.
	 */
	public Optional<ScheduledJob> trigger(String name) {
		return this.fire.trigger(name);
	}

	/** Enqueues jobs for due times that have passed. */
	BackfillStatement backfill() {
		return this.backfill;
	}

	/** Returns the latest runs of a schedule. */
	List<ScheduledRun> latestRuns(String name, int limit) {
		return this.database.query(LATEST_RUNS, (row, index) -> {
			String state = row.getString("state");
			return new ScheduledRun(row.getLong("job_id"), Sql.time(row, "due_at"), Sql.time(row, "enqueued_at"),
					Origin.valueOf(row.getString("origin").toUpperCase(Locale.ROOT)),
					(state != null) ? JobState.of(state) : null, row.getInt("attempt"), Sql.instant(row, "leased_at"),
					Sql.instant(row, "finished_at"));
		}, name, limit);
	}

	/** Deletes the runs of each schedule that are no longer kept. */
	void pruneRuns() {
		this.database.update(PRUNE_RUNS);
		this.database.update(PRUNE_REMOVED);
	}

	/** Stores calendars. */
	CalendarStore calendars() {
		return this.calendars;
	}

	/**
	 * Returns the due times of a schedule that is not stored.
	 * @throws IllegalArgumentException if its calendar is not stored
	 */
	Occurrences occurrences(Schedule schedule) {
		CalendarDaysStatement calendars = new CalendarDaysStatement();
		String name = schedule.validity().calendar();
		JobCalendar calendar = calendars.named(name);
		Assert.isTrue(calendars.read(this.database) == ((name != null) ? 1 : 0),
				() -> "the calendar '" + name + "' of the schedule '" + schedule.name()
						+ "' is not known: declare it as a JobCalendar bean or with rowqueue.calendars");
		return new Occurrences(schedule.rhythm(), schedule.validity(), calendar);
	}

	/** Removes a schedule; returns false if it does not exist. */
	public boolean remove(String name) {
		return this.database.update(REMOVE, name, name) == 1;
	}

	/**
	 * Finds a schedule.
	 * @throws IllegalArgumentException if this process cannot read it
	 */
	public Optional<ScheduleStatus> find(String name) {
		CalendarDaysStatement calendars = new CalendarDaysStatement();
		Optional<ScheduleStatus> found = this.database
			.query(FIND, (row, index) -> ScheduleColumnsStatement.status(row, calendars), name, 1)
			.stream()
			.findFirst();
		calendars.read(this.database);
		return found;
	}

	/**
	 * Returns all schedules that this process can read, in the order of their next due
	 * times.
	 */
	public List<ScheduleStatus> list() {
		CalendarDaysStatement calendars = new CalendarDaysStatement();
		List<Optional<ScheduleStatus>> found = this.database.query(FIND,
				(row, index) -> this.rows.read(row, (each) -> ScheduleColumnsStatement.status(each, calendars)), null,
				MAX_SCHEDULES);
		calendars.read(this.database);
		return found.stream().flatMap(Optional::stream).toList();
	}

	/**
	 * A schedule that has become declared or undeclared.
	 *
	 * @param name the name
	 * @param declared whether a live worker declares it
	 */
	public record Declared(String name, boolean declared) {

	}

	/**
	 * The result of a due time.
	 *
	 * @param schedule the name of the schedule
	 * @param type the type of its jobs
	 * @param queue the queue of its jobs
	 * @param limited whether its jobs have a limit key
	 * @param jobId the id of the new job, or {@code null} if there is none
	 * @param held whether there is none because the previous job has not finished
	 */
	public record ScheduledJob(String schedule, String type, String queue, boolean limited, @Nullable Long jobId,
			boolean held) {

	}

}

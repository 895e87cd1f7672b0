package io.pgqueue.engine.schedule;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

import io.pgqueue.engine.database.QueueDatabase;
import io.pgqueue.engine.database.Sql;
import io.pgqueue.engine.database.WhenDue;
import io.pgqueue.schedule.MissedPolicy;
import io.pgqueue.schedule.OverlapPolicy;
import io.pgqueue.schedule.Rhythm;
import io.pgqueue.schedule.Schedule;
import io.pgqueue.schedule.ScheduleStatus;
import io.pgqueue.schedule.ScheduleStatus.Source;
import io.pgqueue.schedule.ScheduleStatus.State;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The recurring jobs. Every method is one statement, so that no lock is held while a
 * process computes times. All methods throw
 * {@link org.springframework.dao.DataAccessException} when the database refuses or is
 * away.
 */
public final class ScheduleStore {

	/** The most recurring jobs that {@link #list} returns. */
	public static final int MAX_SCHEDULES = 1000;

	/** What has not changed is not written: every process declares all when it starts. */
	private static final String DISABLED = """
			(s.undeclared_at is not null and s.undeclared_at < clock_timestamp() - interval '1 minute')""";

	private static final String SECONDS = """
			s.cron, s.zone, extract(epoch from s.every) as every_seconds, extract(epoch from s.jitter) as jitter_seconds,
			extract(epoch from s.tolerance) as tolerance_seconds""";

	/** One that another transaction is changing is left for the next time. */
	private static final String DUE = """
			select s.name, s.revision, s.missed, s.next_run_at, clock_timestamp() as now, %s
			from {schema}.schedule s
			where s.next_run_at <= clock_timestamp() and s.paused_at is null and not %s
			order by s.next_run_at limit ? for share skip locked""".formatted(SECONDS, DISABLED);

	/** A worker that is given up for a moment comes back and changes nothing. */
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
	 * Further ahead than its interval: it was written before the server's clock went
	 * back.
	 */
	private static final String BRING_BACK = """
			update {schema}.schedule set next_run_at = clock_timestamp() + every, revision = revision + 1
			where name in (
				select name from {schema}.schedule where next_run_at > clock_timestamp() + every for no key update skip locked)""";

	private static final String PAUSE = """
			update {schema}.schedule set paused_at = clock_timestamp(), pause_reason = ?, revision = revision + 1
			where name = ? and paused_at is null""";

	private static final String RESUME = """
			update {schema}.schedule
			set paused_at = null, pause_reason = null, next_run_at = ?::timestamptz, revision = revision + 1
			where name = ? and paused_at is not null""";

	private static final String REMOVE = """
			delete from {schema}.schedule where name = ?""";

	private static final String FIND = """
			select s.*, %s, %s as disabled from {schema}.schedule s
			where s.name = coalesce(?, s.name)
			order by s.next_run_at, s.name limit ?""".formatted(SECONDS, DISABLED);

	/** When the next recurring job is due. */
	public static final WhenDue NEXT = new WhenDue("""
			(select s.next_run_at from {schema}.schedule s where s.paused_at is null and not %s
			order by s.next_run_at limit 1)""".formatted(DISABLED));

	private static final Logger logger = LoggerFactory.getLogger(ScheduleStore.class);

	private final QueueDatabase database;

	private final PutScheduleStatement put;

	private final FireStatement fire;

	private final TriggerStatement trigger;

	/**
	 * Creates the store.
	 * @param database runs the statements
	 */
	public ScheduleStore(QueueDatabase database) {
		this.database = database;
		this.put = new PutScheduleStatement(database);
		this.fire = new FireStatement(database);
		this.trigger = new TriggerStatement(database);
	}

	/** The database's time. */
	public Instant now() {
		return this.database.now();
	}

	/** Writes a recurring job down, in place of the one of its name. */
	public void put(NewSchedule added) {
		this.put.execute(added);
	}

	/** The recurring jobs that are due, the longest waiting first. */
	public List<DueSchedule> due(int limit) {
		return this.database.query(DUE, (row, index) -> due(row), limit).stream().flatMap(Optional::stream).toList();
	}

	/** One that cannot be read must not hold up the others. */
	private static Optional<DueSchedule> due(ResultSet row) throws SQLException {
		try {
			return Optional.of(new DueSchedule(row.getString("name"), row.getLong("revision"), rhythm(row),
					MissedPolicy.valueOf(upper(row, "missed")), duration(row, "jitter_seconds"),
					Sql.time(row, "next_run_at"), Sql.time(row, "now")));
		}
		catch (IllegalArgumentException ex) {
			logger.error("Schedule '{}' cannot be read by this process and is not run: {}", row.getString("name"),
					ex.getMessage());
			return Optional.empty();
		}
	}

	/** Enqueues jobs and moves on those that nobody else has moved on meanwhile. */
	public List<ScheduledJob> fire(List<ScheduleRun> runs) {
		return this.fire.execute(runs);
	}

	/**
	 * Notes which recurring jobs no living worker declares any more, and which one does
	 * again.
	 */
	public List<Declared> noteDeclared() {
		return this.database.query(DECLARED,
				(row, index) -> new Declared(row.getString("name"), row.getBoolean("declared")));
	}

	/**
	 * Brings back those with an interval that would be due only after more than that. Due
	 * times of a cron expression are never repeated.
	 */
	public void bringBack() {
		this.database.update(BRING_BACK);
	}

	/** Pauses one; returns false if there is none or it was paused already. */
	public boolean pause(String name, @Nullable String reason) {
		return this.database.update(PAUSE, reason, name) == 1;
	}

	/** Resumes one; returns false if it was not paused. */
	public boolean resume(String name, @Nullable Instant nextRunAt) {
		return this.database.update(RESUME, Sql.text(nextRunAt), name) == 1;
	}

	/**
	 * Enqueues a job of one now, unless the one before it is not over and that counts.
	 */
	public Optional<ScheduledJob> trigger(String name) {
		return this.trigger.execute(name);
	}

	/** Removes one; returns false if there is none. */
	public boolean remove(String name) {
		return this.database.update(REMOVE, name) == 1;
	}

	/** Finds one. */
	public Optional<ScheduleStatus> find(String name) {
		return query(name).stream().findFirst();
	}

	/** All of them, the next due first. */
	public List<ScheduleStatus> list() {
		return query(null);
	}

	private List<ScheduleStatus> query(@Nullable String name) {
		return this.database.query(FIND, (row, index) -> status(row), name, MAX_SCHEDULES);
	}

	private static ScheduleStatus status(ResultSet row) throws SQLException {
		Instant pausedAt = Sql.instant(row, "paused_at");
		Instant nextRunAt = Sql.instant(row, "next_run_at");
		State state = (nextRunAt == null) ? State.ENDED : State.ACTIVE;
		state = row.getBoolean("disabled") ? State.DISABLED : state;
		state = (pausedAt != null) ? State.PAUSED : state;
		return new ScheduleStatus(row.getString("name"), state, rhythm(row), row.getString("type"),
				row.getString("queue"), row.getInt("priority"), duration(row, "tolerance_seconds"),
				Sql.integer(row, "max_attempts"), row.getString("limit_key"), row.getString("payload"),
				MissedPolicy.valueOf(upper(row, "missed")), OverlapPolicy.valueOf(upper(row, "overlap")),
				duration(row, "jitter_seconds"), Source.valueOf(upper(row, "source")), nextRunAt,
				Sql.instant(row, "last_due_at"), Sql.instant(row, "last_run_at"),
				row.getObject("last_job_id", Long.class), Sql.instant(row, "last_skipped_at"), pausedAt,
				row.getString("pause_reason"), Sql.instant(row, "undeclared_at"));
	}

	private static Rhythm rhythm(ResultSet row) throws SQLException {
		String cron = row.getString("cron");
		return (cron != null) ? Rhythm.cron(cron, row.getString("zone")) : Rhythm.every(duration(row, "every_seconds"));
	}

	private static Duration duration(ResultSet row, String column) throws SQLException {
		return Duration.ofNanos(Math.round(row.getDouble(column) * 1_000_000) * 1000);
	}

	private static String upper(ResultSet row, String column) throws SQLException {
		return row.getString(column).toUpperCase(Locale.ROOT);
	}

	/**
	 * A recurring job that was declared last time and is not now, or the other way round.
	 *
	 * @param name its name
	 * @param declared whether a living worker declares it
	 */
	public record Declared(String name, boolean declared) {

	}

	/**
	 * What came of a recurring job that was due.
	 *
	 * @param schedule the name of the recurring job
	 * @param type the type of its jobs
	 * @param queue their queue
	 * @param limited whether they have a limit key
	 * @param jobId the job that was enqueued; {@code null}: none
	 * @param held whether that is because the one before it is not over
	 */
	public record ScheduledJob(String schedule, String type, String queue, boolean limited, @Nullable Long jobId,
			boolean held) {

	}

}

package io.pgqueue.store;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

import io.pgqueue.MissedPolicy;
import io.pgqueue.OverlapPolicy;
import io.pgqueue.Rhythm;
import io.pgqueue.Schedule;
import io.pgqueue.ScheduleHeaders;
import io.pgqueue.ScheduleStatus;
import io.pgqueue.ScheduleStatus.Source;
import io.pgqueue.ScheduleStatus.State;
import io.pgqueue.schema.SchemaName;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.jdbc.core.JdbcOperations;

/**
 * The recurring jobs. Every method is one statement, so that no lock is held while a
 * process computes times. All methods throw
 * {@link org.springframework.dao.DataAccessException} when the database refuses or is
 * away.
 */
public final class ScheduleStore {

	/** The most recurring jobs that {@link #list} returns. */
	public static final int MOST = 1000;

	private static final String NOW = "select clock_timestamp() as now";

	/** What has not changed is not written: every process declares all when it starts. */
	private static final String PUT = """
			insert into {schema}.schedule as s (name, type, queue, priority, max_attempts, tolerance, limit_key, payload, cron, zone,
				every, missed, overlap, jitter, source, next_run_at)
			values (?, ?, ?, ?, ?, ?::bigint * interval '1 microsecond', ?, ?::json, ?, ?, ?::bigint * interval '1 microsecond',
				?, ?, ?::bigint * interval '1 microsecond', ?, ?::timestamptz)
			on conflict (name) do update
			set type = excluded.type, queue = excluded.queue, priority = excluded.priority,
				max_attempts = excluded.max_attempts, tolerance = excluded.tolerance, limit_key = excluded.limit_key,
				payload = excluded.payload,
				cron = excluded.cron, zone = excluded.zone, every = excluded.every, missed = excluded.missed,
				overlap = excluded.overlap, jitter = excluded.jitter, source = excluded.source,
				revision = s.revision + 1, declared_at = clock_timestamp(), undeclared_at = null,
				next_run_at = case when (s.cron, s.zone, s.every) is not distinct from
						(excluded.cron, excluded.zone, excluded.every) then s.next_run_at else excluded.next_run_at end
			where s.undeclared_at is not null
				or (s.type, s.queue, s.priority, s.max_attempts, s.tolerance, s.limit_key, s.payload::text, s.cron, s.zone, s.every,
					s.missed, s.overlap, s.jitter, s.source)
				is distinct from (excluded.type, excluded.queue, excluded.priority, excluded.max_attempts, excluded.tolerance,
					excluded.limit_key, excluded.payload::text, excluded.cron, excluded.zone, excluded.every, excluded.missed, excluded.overlap,
					excluded.jitter, excluded.source)""";

	private static final String DISABLED = """
			(s.undeclared_at is not null and s.undeclared_at < clock_timestamp() - interval '1 minute')""";

	private static final String SECONDS = """
			s.cron, s.zone, extract(epoch from s.every) as every_seconds, extract(epoch from s.jitter) as jitter_seconds,
			extract(epoch from s.tolerance) as tolerance_seconds""";

	private static final String DUE = """
			select s.name, s.revision, s.missed, s.next_run_at, clock_timestamp() as now, %s
			from {schema}.schedule s
			where s.next_run_at <= clock_timestamp() and s.paused_at is null and not %s
			order by s.next_run_at limit ?""".formatted(SECONDS, DISABLED);

	/** A worker that is given up for a moment comes back and changes nothing. */
	private static final String DECLARED = """
			with seen as materialized (
				select s.name, exists (
					select from {schema}.worker w where w.dead_at is null and 'schedule:' || s.name = any (w.declarations)) as declared
				from {schema}.schedule s where s.source <> 'code')
			update {schema}.schedule s
			set undeclared_at = case when seen.declared then null else clock_timestamp() end, revision = s.revision + 1
			from seen
			where s.name = seen.name and seen.declared = (s.undeclared_at is not null)
				and (seen.declared or s.declared_at < clock_timestamp() - interval '1 minute')
			returning s.name, seen.declared""";

	/** Further ahead than its interval: it was written before the server's clock went back. */
	private static final String BRING_BACK = """
			update {schema}.schedule set next_run_at = clock_timestamp() + every, revision = revision + 1
			where next_run_at > clock_timestamp() + every""";

	private static final String PAUSE = """
			update {schema}.schedule set paused_at = clock_timestamp(), pause_reason = ?, revision = revision + 1
			where name = ? and paused_at is null""";

	private static final String RESUME = """
			update {schema}.schedule
			set paused_at = null, pause_reason = null, next_run_at = ?::timestamptz, revision = revision + 1
			where name = ? and paused_at is not null""";

	private static final String TRIGGER = """
			with called as (
				update {schema}.schedule s
				set last_job_id = nextval('{schema}.job_id_seq'), last_due_at = clock_timestamp(),
					last_run_at = clock_timestamp(), revision = s.revision + 1
				where s.name = ? and not (s.overlap = 'skip' and exists (
					select from {schema}.job j where j.id = s.last_job_id and j.state <> 'failed'))
				returning s.*)
			insert into {schema}.job (id, queue, type, priority, max_attempts, run_at, tolerance, limit_key, headers, payload,
				order_at, state)
			select last_job_id, queue, type, priority, max_attempts, last_due_at, tolerance, limit_key, json_build_object('%s', name, '%s',
				to_char(last_due_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')), payload,
				last_due_at + coalesce(tolerance, interval '0'),
				(case when limit_key is null then 'queued' else 'scheduled' end)::{schema}.job_state
			from called returning id, queue, type, limit_key is not null as limited"""
		.formatted(ScheduleHeaders.NAME, ScheduleHeaders.DUE_AT);

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

	private final JdbcOperations jdbc;

	private final SchemaName schema;

	private final FireStatement fire;

	/**
	 * Creates the store.
	 * @param jdbc runs the statements
	 * @param schema the schema of the tables
	 */
	public ScheduleStore(JdbcOperations jdbc, SchemaName schema) {
		this.jdbc = jdbc;
		this.schema = schema;
		this.fire = new FireStatement(jdbc, schema);
	}

	/** The database's time. */
	public Instant now() {
		return this.jdbc.query(NOW, (row, index) -> Sql.time(row, "now")).get(0);
	}

	/** Writes a recurring job down, in place of the one of its name. */
	public void put(NewSchedule added) {
		Schedule schedule = added.schedule();
		Rhythm.Cron cron = (schedule.rhythm() instanceof Rhythm.Cron given) ? given : null;
		Duration every = (schedule.rhythm() instanceof Rhythm.Every given) ? given.interval() : null;
		this.jdbc.update(sql(PUT), schedule.name(), schedule.job().type(), schedule.job().queue(),
				schedule.job().priority(), schedule.job().maxAttempts(), micros(schedule.job().tolerance()),
				schedule.job().limitKey(), added.payload(), (cron != null) ? cron.expression() : null,
				(cron != null) ? cron.zone().getId() : null, (every != null) ? Sql.micros(every) : null,
				schedule.missed().label(), schedule.overlap().label(), micros(schedule.jitter()),
				added.source().name().toLowerCase(Locale.ROOT), Sql.text(added.nextRunAt()));
	}

	/** The recurring jobs that are due, the longest waiting first. */
	public List<DueSchedule> due(int limit) {
		return this.jdbc.query(sql(DUE), (row, index) -> due(row), limit).stream().flatMap(Optional::stream).toList();
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
		return this.jdbc.query(sql(DECLARED),
				(row, index) -> new Declared(row.getString("name"), row.getBoolean("declared")));
	}

	/**
	 * Brings back those with an interval that would be due only after more than that. Due
	 * times of a cron expression are never repeated.
	 */
	public void bringBack() {
		this.jdbc.update(sql(BRING_BACK));
	}

	/** Pauses one; returns false if there is none or it was paused already. */
	public boolean pause(String name, @Nullable String reason) {
		return this.jdbc.update(sql(PAUSE), reason, name) == 1;
	}

	/** Resumes one; returns false if it was not paused. */
	public boolean resume(String name, @Nullable Instant nextRunAt) {
		return this.jdbc.update(sql(RESUME), Sql.text(nextRunAt), name) == 1;
	}

	/**
	 * Enqueues a job of one now, unless the one before it is not over and that counts.
	 */
	public Optional<ScheduledJob> trigger(String name) {
		return this.jdbc
			.query(sql(TRIGGER),
					(row, index) -> new ScheduledJob(name, row.getString("type"), row.getString("queue"),
							row.getBoolean("limited"), row.getLong("id"), false),
					name)
			.stream()
			.findFirst();
	}

	/** Removes one; returns false if there is none. */
	public boolean remove(String name) {
		return this.jdbc.update(sql(REMOVE), name) == 1;
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
		return this.jdbc.query(sql(FIND), (row, index) -> status(row), name, MOST);
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

	private static @Nullable Long micros(Duration duration) {
		return duration.isZero() ? null : Sql.micros(duration);
	}

	private String sql(String statement) {
		return Sql.in(this.schema, statement);
	}

	/**
	 * A recurring job that was declared last time and is not now, or the other way round.
	 *
	 * @param name its name
	 * @param declared whether a living worker declares it
	 */
	public record Declared(String name, boolean declared) {

	}

}

package io.rowqueue.engine.schedule;

import java.time.Duration;
import java.util.Locale;
import java.util.Map;

import io.rowqueue.engine.database.QueueDatabase;
import io.rowqueue.engine.database.Sql;
import io.rowqueue.engine.enqueue.PayloadWriter;
import io.rowqueue.schedule.Rhythm;
import io.rowqueue.schedule.Schedule;
import io.rowqueue.schedule.Validity;
import org.jspecify.annotations.Nullable;

/**
 * Stores a schedule, and replaces an existing one with the same name. Processes do this
 * when they start. A schedule that does not change is neither written nor locked,
 * although another transaction may have triggered or paused it.
 */
final class PutScheduleStatement {

	/** Whether a stored schedule differs from the given one. */
	private static final String DIFFERS = """
			(s.undeclared_at is not null
				or (s.type, s.queue, s.priority, s.max_attempts, s.tolerance, s.limit_key, s.limit_units, s.payload::text, s.cron,
					s.zone, s.every, s.missed, s.overlap, s.jitter, s.source, s.starts_at, s.ends_at, s.calendar, s.excluded,
					s.headers::text, s.expires_in, s.on_failure)
				is distinct from (%1$s.type, %1$s.queue, %1$s.priority, %1$s.max_attempts, %1$s.tolerance, %1$s.limit_key, %1$s.limit_units,
					%1$s.payload::text, %1$s.cron, %1$s.zone, %1$s.every, %1$s.missed, %1$s.overlap, %1$s.jitter, %1$s.source,
					%1$s.starts_at, %1$s.ends_at, %1$s.calendar, %1$s.excluded, %1$s.headers::text, %1$s.expires_in,
					%1$s.on_failure))""";

	/**
	 * The revision begins with the time: what was decided for a schedule of the same name
	 * that was removed is not valid for this one.
	 */
	private static final String PUT = """
			with given as (
				select ?::text as name, ?::text as type, ?::text as queue, ?::smallint as priority, ?::smallint as max_attempts,
					?::bigint * interval '1 microsecond' as tolerance, ?::text as limit_key, nullif(?::smallint, 1::smallint) as limit_units, ?::json as payload, ?::text as cron,
					?::text as zone, ?::bigint * interval '1 microsecond' as every, ?::text as missed, ?::text as overlap,
					?::bigint * interval '1 microsecond' as jitter, ?::text as source, ?::timestamptz as next_run_at,
					?::timestamptz as starts_at, ?::timestamptz as ends_at, ?::text as calendar, ?::text as excluded,
					nullif(json_object(?::text[], ?::text[])::text, '{}')::json as headers,
					?::bigint * interval '1 microsecond' as expires_in, ?::jsonb as on_failure)
			insert into {schema}.schedule as s (name, type, queue, priority, max_attempts, tolerance, limit_key, limit_units, payload, cron,
				zone, every, missed, overlap, jitter, source, next_run_at, starts_at, ends_at, calendar, excluded, headers, expires_in,
				on_failure, revision)
			select given.*, (extract(epoch from clock_timestamp()) * 1000000)::bigint from given
			where not exists (select from {schema}.schedule s where s.name = given.name and not %s)
			on conflict (name) do update
			set type = excluded.type, queue = excluded.queue, priority = excluded.priority,
				max_attempts = excluded.max_attempts, tolerance = excluded.tolerance, limit_key = excluded.limit_key,
				limit_units = excluded.limit_units, payload = excluded.payload,
				cron = excluded.cron, zone = excluded.zone, every = excluded.every, missed = excluded.missed,
				overlap = excluded.overlap, jitter = excluded.jitter, source = excluded.source,
				starts_at = excluded.starts_at, ends_at = excluded.ends_at, calendar = excluded.calendar, excluded = excluded.excluded,
				headers = excluded.headers, expires_in = excluded.expires_in, on_failure = excluded.on_failure,
				revision = s.revision + 1, declared_at = clock_timestamp(), undeclared_at = null,
				next_run_at = case when (s.cron, s.zone, s.every, s.starts_at, s.ends_at, s.calendar, s.excluded)
						is not distinct from (excluded.cron, excluded.zone, excluded.every, excluded.starts_at, excluded.ends_at,
							excluded.calendar, excluded.excluded) then s.next_run_at else excluded.next_run_at end
			where %s"""
		.formatted(DIFFERS.formatted("given"), DIFFERS.formatted("excluded"));

	private final QueueDatabase database;

	PutScheduleStatement(QueueDatabase database) {
		this.database = database;
	}

	void execute(NewSchedule added) {
		Schedule schedule = added.schedule();
		Rhythm.Cron cron = (schedule.rhythm() instanceof Rhythm.Cron given) ? given : null;
		Validity validity = schedule.validity();
		Duration every = (schedule.rhythm() instanceof Rhythm.Every given) ? given.interval() : null;
		Map<String, String> headers = PayloadWriter.headers(schedule.job());
		Duration expiresIn = schedule.job().expiresIn();
		this.database.update(PUT, schedule.name(), schedule.job().type(), schedule.job().queue(),
				schedule.job().priority(), schedule.job().maxAttempts(), micros(schedule.job().tolerance()),
				schedule.job().limitKey(), schedule.job().limitUnits(), added.payload(),
				(cron != null) ? cron.expression() : null, (cron != null) ? cron.zone().getId() : null,
				Sql.microsOrNull(every), schedule.missed().label(), schedule.overlap().label(),
				micros(schedule.jitter()), added.source().name().toLowerCase(Locale.ROOT), Sql.text(added.nextRunAt()),
				Sql.text(validity.from()), Sql.text(validity.until()), validity.calendar(),
				(validity.calendar() != null) ? validity.excluded().label() : null,
				headers.keySet().toArray(String[]::new), headers.values().toArray(String[]::new),
				Sql.microsOrNull(expiresIn), added.onFailure());
	}

	private static @Nullable Long micros(Duration duration) {
		return duration.isZero() ? null : Sql.micros(duration);
	}

}

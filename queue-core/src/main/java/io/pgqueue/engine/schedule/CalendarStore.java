package io.pgqueue.engine.schedule;

import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;

import io.pgqueue.engine.database.QueueDatabase;
import io.pgqueue.engine.database.Sql;
import io.pgqueue.schedule.JobCalendar;
import io.pgqueue.schedule.ScheduleStatus;

/**
 * Stores the days of calendars, and corrects the next due times of their schedules. A
 * calendar that does not change is neither written nor locked.
 */
final class CalendarStore {

	/** Before today, for backfills. */
	private static final int DAYS_BEFORE = 366;

	private static final int DAYS_AFTER = 2 * 366;

	private static final String PUT = """
			with given as (select ?::text as name, ?::text[]::date[] as excluded)
			insert into {schema}.schedule_calendar as c (name, excluded)
			select * from given
			where not exists (
				select from {schema}.schedule_calendar c where c.name = given.name and c.excluded = given.excluded)
			on conflict (name) do update set excluded = excluded.excluded, declared_at = clock_timestamp()
			where c.excluded <> excluded.excluded""";

	/** A due time that has come is left to the task that handles it. */
	private static final String MOVE = """
			update {schema}.schedule set next_run_at = ?::timestamptz, revision = revision + 1
			where name = ? and next_run_at is not distinct from ?::timestamptz
				and coalesce(next_run_at > clock_timestamp(), true)""";

	private final QueueDatabase database;

	private final ScheduleStore schedules;

	CalendarStore(QueueDatabase database, ScheduleStore schedules) {
		this.database = database;
		this.schedules = schedules;
	}

	/** Stores the days of calendars. */
	void put(List<JobCalendar> calendars) {
		boolean changed = false;
		for (JobCalendar calendar : calendars) {
			changed |= put(calendar);
		}
		if (changed) {
			this.schedules.list()
				.stream()
				.filter((schedule) -> schedule.occurrences().calendar() != null)
				.forEach(this::move);
		}
	}

	private boolean put(JobCalendar calendar) {
		LocalDate today = LocalDate.ofInstant(this.database.now(), ZoneOffset.UTC);
		String[] excluded = today.minusDays(DAYS_BEFORE)
			.datesUntil(today.plusDays(DAYS_AFTER))
			.filter((day) -> !calendar.includes(day))
			.map(LocalDate::toString)
			.toArray(String[]::new);
		return this.database.update(PUT, calendar.name(), excluded) == 1;
	}

	private void move(ScheduleStatus schedule) {
		Instant next = schedule.next(this.database.now());
		this.database.update(MOVE, Sql.text(next), schedule.name(), Sql.text(schedule.nextRunAt()));
	}

}

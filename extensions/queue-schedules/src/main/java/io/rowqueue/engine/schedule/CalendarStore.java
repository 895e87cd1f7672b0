package io.rowqueue.engine.schedule;

import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

import io.rowqueue.engine.database.QueueDatabase;
import io.rowqueue.engine.database.ReadableRows;
import io.rowqueue.engine.database.Sql;
import io.rowqueue.schedule.JobCalendar;
import io.rowqueue.schedule.Occurrences;
import org.jspecify.annotations.Nullable;

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

	private static final String NAMING = """
			select s.name, s.next_run_at, %s from {schema}.schedule s where s.calendar = any (?::text[])"""
		.formatted(ScheduleColumnsStatement.COLUMNS);

	/** A due time that has come is left to the task that handles it. */
	private static final String MOVE = """
			update {schema}.schedule set next_run_at = ?::timestamptz, revision = revision + 1
			where name = ? and next_run_at is not distinct from ?::timestamptz
				and coalesce(next_run_at > clock_timestamp(), true)""";

	private final QueueDatabase database;

	private final ReadableRows rows;

	CalendarStore(QueueDatabase database, ReadableRows rows) {
		this.database = database;
		this.rows = rows;
	}

	/** Stores the days of calendars. */
	void put(List<JobCalendar> calendars) {
		String[] changed = calendars.stream().filter(this::put).map(JobCalendar::name).toArray(String[]::new);
		if (changed.length > 0) {
			move(changed);
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

	private void move(String[] changed) {
		CalendarDaysStatement calendars = new CalendarDaysStatement();
		List<Dated> schedules = this.database
			.query(NAMING,
					(row, index) -> this.rows.read(row,
							(each) -> new Dated(each.getString("name"), Sql.instant(each, "next_run_at"),
									ScheduleColumnsStatement.occurrences(each, calendars))),
					(Object) changed)
			.stream()
			.flatMap(Optional::stream)
			.toList();
		calendars.read(this.database);
		Instant now = this.database.now();
		for (Dated schedule : schedules) {
			Instant next = schedule.occurrences().next(now);
			if (!Objects.equals(next, schedule.nextRunAt())) {
				this.database.update(MOVE, Sql.text(next), schedule.name(), Sql.text(schedule.nextRunAt()));
			}
		}
	}

	/** The due times of a schedule, and the next one that is stored. */
	private record Dated(String name, @Nullable Instant nextRunAt, Occurrences occurrences) {

	}

}

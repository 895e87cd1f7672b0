package io.rowqueue.schedule.autoconfigure;

import java.time.DayOfWeek;
import java.time.LocalDate;
import java.util.Set;

import io.rowqueue.schedule.JobCalendar;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * A calendar of recurring jobs.
 *
 * @param excludedDays Days of the week that the calendar excludes, such as SATURDAY.
 * @param excludedDates Dates that the calendar excludes, such as 2026-12-25.
 */
record CalendarProperties(@DefaultValue Set<DayOfWeek> excludedDays, @DefaultValue Set<LocalDate> excludedDates) {

	/** Returns the calendar. */
	JobCalendar calendar(String name) {
		return JobCalendar.of(name,
				(day) -> !this.excludedDays.contains(day.getDayOfWeek()) && !this.excludedDates.contains(day));
	}

}

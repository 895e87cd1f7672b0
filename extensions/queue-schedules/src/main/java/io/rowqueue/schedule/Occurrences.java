package io.rowqueue.schedule;

import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneId;

import io.rowqueue.schedule.Rhythm.Cron;
import io.rowqueue.schedule.Rhythm.Every;
import org.jspecify.annotations.Nullable;

/**
 * The due times of a schedule: its rhythm within its validity.
 *
 * @param rhythm determines when the job is due
 * @param validity restricts the due times
 * @param calendar the calendar that the validity names, or {@code null} for none
 * @since 0.1.0
 */
public record Occurrences(Rhythm rhythm, Validity validity, @Nullable JobCalendar calendar) {

	/** A calendar that excludes more days in a row is taken to include no further day. */
	static final int MAX_EXCLUDED_DAYS = 1200;

	/**
	 * Returns the first due time after the given time.
	 * @param after the given time, which must be a due time for {@link Every} without
	 * {@link Validity#from()}
	 * @return the due time, or {@code null} if there is none
	 */
	public @Nullable Instant next(Instant after) {
		Instant next = unbounded(after);
		Instant until = this.validity.until();
		return (next == null || (until != null && !next.isBefore(until))) ? null : next;
	}

	private @Nullable Instant unbounded(Instant after) {
		Instant from = this.validity.from();
		boolean before = from != null && after.isBefore(from);
		if (this.rhythm instanceof Every every) {
			return (from == null) ? every.next(after) : (before ? from : every.next(from, after));
		}
		Instant start = (before && from != null) ? from.minusNanos(1) : after;
		Cron cron = (Cron) this.rhythm;
		if (this.calendar == null) {
			return cron.next(start);
		}
		return (this.validity.excluded() == ExcludedPolicy.SKIP) ? skipping(cron, this.calendar, start)
				: moving(cron, this.calendar, start);
	}

	private static @Nullable Instant skipping(Cron cron, JobCalendar calendar, Instant after) {
		Instant next = cron.next(after);
		while (next != null && !calendar.includes(day(next, cron.zone()))) {
			LocalDate included = included(calendar, day(next, cron.zone()));
			next = (included != null) ? cron.next(beginning(included, cron.zone()).minusNanos(1)) : null;
		}
		return next;
	}

	private static @Nullable Instant moving(Cron cron, JobCalendar calendar, Instant after) {
		LocalDate day = included(calendar, day(after, cron.zone()));
		while (day != null) {
			Instant earliest = earliest(cron, calendar, day, after);
			if (earliest != null) {
				return earliest;
			}
			Instant later = cron.next(beginning(day.plusDays(1), cron.zone()).minusNanos(1));
			day = (later != null) ? included(calendar, day(later, cron.zone())) : null;
		}
		return null;
	}

	/** The earliest of the due times of a day and of the excluded days before it. */
	private static @Nullable Instant earliest(Cron cron, JobCalendar calendar, LocalDate day, Instant after) {
		Instant earliest = null;
		LocalDate origin = day;
		for (int i = 0; i < MAX_EXCLUDED_DAYS && (i == 0 || !calendar.includes(origin)); i++) {
			Instant moved = firstOf(cron, origin, day, after);
			earliest = (moved != null && (earliest == null || moved.isBefore(earliest))) ? moved : earliest;
			origin = origin.minusDays(1);
		}
		return earliest;
	}

	/** The first due time of a day that is after the given time when it has moved. */
	private static @Nullable Instant firstOf(Cron cron, LocalDate origin, LocalDate day, Instant after) {
		if (origin.equals(day)) {
			Instant start = beginning(day, cron.zone()).minusNanos(1);
			Instant time = cron.next(start.isAfter(after) ? start : after);
			return (time != null && day(time, cron.zone()).equals(day)) ? time : null;
		}
		// local times move: on each of the two days, the clocks may be changed
		LocalDateTime shown = LocalDateTime.ofInstant(after, cron.zone());
		LocalDateTime local = cron.nextLocal(shown.toLocalDate().equals(day) ? origin.atTime(shown.toLocalTime())
				: origin.atStartOfDay().minusNanos(1));
		while (local != null && local.toLocalDate().equals(origin)) {
			Instant moved = cron.at(day.atTime(local.toLocalTime()));
			if (moved.isAfter(after)) {
				return moved;
			}
			local = cron.nextLocal(local);
		}
		return null;
	}

	/** The first included day from the given one on. */
	private static @Nullable LocalDate included(JobCalendar calendar, LocalDate day) {
		LocalDate included = day;
		for (int i = 0; i < MAX_EXCLUDED_DAYS; i++) {
			if (calendar.includes(included)) {
				return included;
			}
			included = included.plusDays(1);
		}
		return null;
	}

	private static LocalDate day(Instant time, ZoneId zone) {
		return LocalDate.ofInstant(time, zone);
	}

	private static Instant beginning(LocalDate day, ZoneId zone) {
		return day.atStartOfDay(zone).toInstant();
	}

}

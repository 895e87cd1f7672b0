package io.rowqueue.window;

import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.zone.ZoneOffsetTransition;
import java.time.zone.ZoneRules;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

import io.rowqueue.window.Window.Opening;

/** The openings of a window. Time ranges that touch or overlap form one opening. */
final class WindowTimes {

	private static final int DAYS_BACK = 8;

	/**
	 * Two weeks, since a change of the clocks can skip the only opening of one, plus the
	 * maximum length of an opening that begins at their end.
	 */
	private static final int DAYS_AHEAD = 17;

	private final ZoneId zone;

	private final List<OpeningHours> times;

	WindowTimes(ZoneId zone, List<OpeningHours> times) {
		this.zone = zone;
		this.times = times;
	}

	Opening opening(Instant at) {
		Opening current = null;
		for (Opening next : around(LocalDate.ofInstant(at, this.zone))) {
			if (current != null && !next.from().isAfter(current.until())) {
				current = new Opening(current.from(), later(current.until(), next.until()));
			}
			else if (current != null && current.until().isAfter(at)) {
				return current;
			}
			else {
				current = next;
			}
		}
		if (current == null || !current.until().isAfter(at)) {
			throw new IllegalStateException("a window must open every two weeks");
		}
		return current;
	}

	private List<Opening> around(LocalDate today) {
		List<Opening> all = new ArrayList<>();
		for (int day = -DAYS_BACK; day <= DAYS_AHEAD; day++) {
			LocalDate date = today.plusDays(day);
			for (OpeningHours range : this.times) {
				if (range.days().contains(date.getDayOfWeek())) {
					Instant from = instant(date.atTime(range.from()));
					Instant until = instant((range.endsOnTheNextDay() ? date.plusDays(1) : date).atTime(range.to()));
					// a range that a change of the clocks skips is not an opening
					if (from.isBefore(until)) {
						all.add(new Opening(from, until));
					}
				}
			}
		}
		all.sort(Comparator.comparing(Opening::from).thenComparing(Opening::until));
		return all;
	}

	private Instant instant(LocalDateTime local) {
		ZoneRules rules = this.zone.getRules();
		ZoneOffsetTransition change = rules.getTransition(local);
		if (change == null) {
			return local.toInstant(rules.getOffset(local));
		}
		return change.isGap() ? change.getInstant() : local.toInstant(change.getOffsetBefore());
	}

	private static Instant later(Instant one, Instant other) {
		return one.isAfter(other) ? one : other;
	}

}

package io.rowqueue.engine.schedule;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

import io.rowqueue.engine.schedule.BackfillStatement.Seen;
import io.rowqueue.schedule.BackfillRange;
import io.rowqueue.schedule.Rhythm.Every;
import io.rowqueue.schedule.Schedules;
import org.jspecify.annotations.Nullable;
import org.springframework.util.Assert;

/** Computes the due times of a backfill. */
final class BackfillTimes {

	private BackfillTimes() {
	}

	/** Returns the due times of a range that the schedule does not handle itself. */
	static List<Instant> of(Seen schedule, BackfillRange range) {
		List<Instant> times = new ArrayList<>();
		Instant end = end(schedule, range);
		Instant time = first(schedule, range.from());
		while (time != null && time.isBefore(end)) {
			Assert.isTrue(times.size() < Schedules.MAX_BACKFILL,
					() -> "the schedule '" + schedule.name() + "' has more than " + Schedules.MAX_BACKFILL
							+ " due times from " + range.from() + " to " + range.until() + ": use a shorter range");
			times.add(time);
			time = schedule.occurrences().next(time);
		}
		return times;
	}

	private static Instant end(Seen schedule, BackfillRange range) {
		Instant end = schedule.now().plusNanos(1);
		Instant next = schedule.nextRunAt();
		if (next != null && !schedule.paused() && next.isBefore(end)) {
			end = next;
		}
		return range.until().isBefore(end) ? range.until() : end;
	}

	private static @Nullable Instant first(Seen schedule, Instant from) {
		if (!(schedule.occurrences().rhythm() instanceof Every every)
				|| schedule.occurrences().validity().from() != null) {
			return schedule.occurrences().next(from.minusNanos(1));
		}
		Instant next = schedule.nextRunAt();
		Assert.isTrue(next != null, () -> "the schedule '" + schedule.name()
				+ "' has ended, and its intervals were not counted from a given time: its due times are not known");
		return schedule.occurrences().next(every.next(next, from.minusNanos(1)).minus(every.interval()));
	}

}

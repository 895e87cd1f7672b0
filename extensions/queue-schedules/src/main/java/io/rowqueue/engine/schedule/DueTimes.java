package io.rowqueue.engine.schedule;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.CRC32;

import io.rowqueue.engine.schedule.ScheduleRun.DueTime;
import io.rowqueue.schedule.Occurrences;
import io.rowqueue.schedule.Rhythm;
import org.jspecify.annotations.Nullable;

/**
 * Decides for which due times of a schedule jobs are enqueued, and when it is due next.
 * The decision depends only on the row and the time of the database, and is the same in
 * every process.
 */
final class DueTimes {

	/** An older due time was missed. */
	static final Duration GRACE = Duration.ofMinutes(1);

	/** The maximum number of jobs of a schedule in one run; the rest follows at once. */
	static final int MAX_DUE_TIMES = 500;

	private static final Duration PRECISION = Duration.ofSeconds(1);

	private DueTimes() {
	}

	static ScheduleRun of(DueSchedule given) {
		DueSchedule schedule = given;
		if (isExcluded(given)) {
			Instant next = given.occurrences().next(given.dueAt());
			if (next == null || next.isAfter(given.now())) {
				return run(given, List.of(), false, next);
			}
			schedule = given.dueAt(next);
		}
		return switch (schedule.missed()) {
			case ALL -> all(schedule);
			case ONCE -> latest(schedule, Instant.MIN);
			case SKIP -> latest(schedule, schedule.now().minus(GRACE));
		};
	}

	/** Its calendar may have changed since the due time was stored. */
	private static boolean isExcluded(DueSchedule schedule) {
		return schedule.occurrences().calendar() != null
				&& !schedule.dueAt().equals(schedule.occurrences().next(schedule.dueAt().minusNanos(1)));
	}

	private static ScheduleRun all(DueSchedule schedule) {
		List<Instant> times = new ArrayList<>();
		Instant time = schedule.dueAt();
		while (time != null && !time.isAfter(schedule.now()) && times.size() < MAX_DUE_TIMES) {
			times.add(time);
			time = schedule.occurrences().next(time);
		}
		return run(schedule, times, false, time);
	}

	private static ScheduleRun latest(DueSchedule schedule, Instant notBefore) {
		Instant latest = (schedule.occurrences().rhythm() instanceof Rhythm.Every every) ? latest(every, schedule)
				: latest(schedule.occurrences(), schedule);
		boolean tooLate = latest.isBefore(notBefore);
		return run(schedule, tooLate ? List.of() : List.of(latest), tooLate || latest.isAfter(schedule.dueAt()),
				schedule.occurrences().next(latest));
	}

	private static Instant latest(Rhythm.Every every, DueSchedule schedule) {
		Instant until = schedule.occurrences().validity().until();
		Instant end = (until != null && !schedule.now().isBefore(until)) ? until.minusNanos(1) : schedule.now();
		long intervals = Duration.between(schedule.dueAt(), end).dividedBy(every.interval());
		return schedule.dueAt().plus(every.interval().multipliedBy(intervals));
	}

	/** A binary search, since there may be a due time in each second of a long outage. */
	private static Instant latest(Occurrences occurrences, DueSchedule schedule) {
		Instant latest = schedule.dueAt();
		Instant low = latest;
		Instant high = schedule.now();
		while (Duration.between(low, high).compareTo(PRECISION) > 0) {
			Instant middle = low.plus(Duration.between(low, high).dividedBy(2));
			Instant next = occurrences.next(middle);
			if (next != null && !next.isAfter(schedule.now())) {
				latest = next;
				low = next;
			}
			else {
				high = middle;
			}
		}
		Instant next = occurrences.next(latest);
		return (next != null && !next.isAfter(schedule.now())) ? next : latest;
	}

	private static ScheduleRun run(DueSchedule schedule, List<Instant> times, boolean missed, @Nullable Instant next) {
		return new ScheduleRun(schedule.name(), schedule.revision(),
				times.stream().map((time) -> new DueTime(time, time.plus(jitter(schedule, time)))).toList(), missed,
				next);
	}

	/** A stable hash of name and time, which is the same in every process. */
	private static Duration jitter(DueSchedule schedule, Instant time) {
		if (schedule.jitter().isZero()) {
			return Duration.ZERO;
		}
		CRC32 hash = new CRC32();
		hash.update((schedule.name() + '\n' + time).getBytes(StandardCharsets.UTF_8));
		double part = hash.getValue() / (double) (1L << 32);
		return Duration.ofMillis((long) (schedule.jitter().toMillis() * part));
	}

}

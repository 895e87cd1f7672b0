package io.pgqueue.engine.schedule;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.CRC32;

import io.pgqueue.engine.schedule.ScheduleRun.DueTime;
import io.pgqueue.schedule.Rhythm;
import org.jspecify.annotations.Nullable;

/**
 * Decides which due times of a recurring job get a job, and when it is due next. What it
 * decides follows from the row and the database's time alone: every process would decide
 * the same.
 */
final class DueTimes {

	/** A due time that is longer ago was missed. */
	static final Duration GRACE = Duration.ofMinutes(1);

	/** The most jobs of one schedule at once; the rest follows at once. */
	static final int MAX_DUE_TIMES = 500;

	private static final Duration PRECISION = Duration.ofSeconds(1);

	private DueTimes() {
	}

	static ScheduleRun of(DueSchedule schedule) {
		return switch (schedule.missed()) {
			case ALL -> all(schedule);
			case ONCE -> latest(schedule, Instant.MIN);
			case SKIP -> latest(schedule, schedule.now().minus(GRACE));
		};
	}

	private static ScheduleRun all(DueSchedule schedule) {
		List<Instant> times = new ArrayList<>();
		Instant time = schedule.dueAt();
		while (time != null && !time.isAfter(schedule.now()) && times.size() < MAX_DUE_TIMES) {
			times.add(time);
			time = schedule.rhythm().next(time);
		}
		return run(schedule, times, false, time);
	}

	private static ScheduleRun latest(DueSchedule schedule, Instant notBefore) {
		Instant latest = (schedule.rhythm() instanceof Rhythm.Every every) ? latest(every, schedule)
				: latest(schedule.rhythm(), schedule);
		boolean tooLate = latest.isBefore(notBefore);
		return run(schedule, tooLate ? List.of() : List.of(latest), tooLate || latest.isAfter(schedule.dueAt()),
				schedule.rhythm().next(latest));
	}

	private static Instant latest(Rhythm.Every every, DueSchedule schedule) {
		long intervals = Duration.between(schedule.dueAt(), schedule.now()).dividedBy(every.interval());
		return schedule.dueAt().plus(every.interval().multipliedBy(intervals));
	}

	/** By halves: there may be a due time in each second of a long outage. */
	private static Instant latest(Rhythm rhythm, DueSchedule schedule) {
		Instant latest = schedule.dueAt();
		Instant low = latest;
		Instant high = schedule.now();
		while (Duration.between(low, high).compareTo(PRECISION) > 0) {
			Instant middle = low.plus(Duration.between(low, high).dividedBy(2));
			Instant next = rhythm.next(middle);
			if (next != null && !next.isAfter(schedule.now())) {
				latest = next;
				low = next;
			}
			else {
				high = middle;
			}
		}
		Instant next = rhythm.next(latest);
		return (next != null && !next.isAfter(schedule.now())) ? next : latest;
	}

	private static ScheduleRun run(DueSchedule schedule, List<Instant> times, boolean missed, @Nullable Instant next) {
		return new ScheduleRun(schedule.name(), schedule.revision(),
				times.stream().map((time) -> new DueTime(time, time.plus(jitter(schedule, time)))).toList(), missed,
				next);
	}

	/** The same in every process and for ever: a stable hash of the name and the time. */
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

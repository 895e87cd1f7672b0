package io.rowqueue.engine.schedule;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

import io.rowqueue.engine.schedule.ScheduleRun.DueTime;
import io.rowqueue.schedule.MissedPolicy;
import io.rowqueue.schedule.Occurrences;
import io.rowqueue.schedule.Rhythm;
import io.rowqueue.schedule.Validity;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** Which due times get a job, by the time of the database alone. */
class DueTimesTests {

	private static final Rhythm HOURLY = Rhythm.cron("0 0 * * * *", "UTC");

	@Test
	void aDueTimeThatIsNoticedAtOnceGetsItsJobWhateverThePolicy() {
		for (MissedPolicy policy : MissedPolicy.values()) {
			ScheduleRun run = run(HOURLY, policy, "10:00:00", "10:00:01");
			assertThat(times(run)).containsExactly("10:00:00");
			assertThat(run.nextRunAt()).isEqualTo(at("11:00:00"));
		}
	}

	@Test
	void missedDueTimesAreSkipped() {
		ScheduleRun run = run(HOURLY, MissedPolicy.SKIP, "10:00:00", "13:30:00");
		assertThat(times(run)).isEmpty();
		assertThat(run.nextRunAt()).isEqualTo(at("14:00:00"));
		assertThat(times(run(HOURLY, MissedPolicy.SKIP, "10:00:00", "13:01:00"))).as("the latest is not missed")
			.containsExactly("13:00:00");
		assertThat(times(run(HOURLY, MissedPolicy.SKIP, "10:00:00", "13:01:01"))).isEmpty();
	}

	@Test
	void missedDueTimesAreMadeUpForOnce() {
		ScheduleRun run = run(HOURLY, MissedPolicy.ONCE, "10:00:00", "13:30:00");
		assertThat(times(run)).containsExactly("13:00:00");
		assertThat(run.nextRunAt()).isEqualTo(at("14:00:00"));
		run = run(Rhythm.every(Duration.ofMinutes(7)), MissedPolicy.ONCE, "10:00:00", "10:22:00");
		assertThat(times(run)).containsExactly("10:21:00");
		assertThat(run.nextRunAt()).isEqualTo(at("10:28:00"));
	}

	@Test
	void eachMissedDueTimeIsMadeUpFor() {
		ScheduleRun run = run(HOURLY, MissedPolicy.ALL, "10:00:00", "13:30:00");
		assertThat(times(run)).containsExactly("10:00:00", "11:00:00", "12:00:00", "13:00:00");
		assertThat(run.nextRunAt()).isEqualTo(at("14:00:00"));
	}

	@Test
	void aLongOutageIsWorkedOffInParts() {
		ScheduleRun run = run(Rhythm.every(Duration.ofSeconds(1)), MissedPolicy.ALL, "10:00:00", "13:00:00");
		assertThat(run.dueTimes()).hasSize(DueTimes.MAX_DUE_TIMES);
		assertThat(run.nextRunAt()).as("the rest is due").isEqualTo(at("10:00:00").plusSeconds(DueTimes.MAX_DUE_TIMES));
	}

	@Test
	void theLatestDueTimeIsFoundHoweverManyThereWere() {
		Instant now = at("09:30:00.5").plus(Duration.ofDays(3650));
		for (String cron : List.of("* * 8 * * *", "0 0 0 29 2 *", "*/7 * * * * *", "0 0 3 1 1 *", "0 30 9 * * *")) {
			Rhythm rhythm = Rhythm.cron(cron, "Europe/Berlin");
			Instant first = rhythm.next(at("00:00:00"));
			ScheduleRun run = DueTimes
				.of(new DueSchedule("s", 1, always(rhythm), MissedPolicy.ONCE, Duration.ZERO, first, now));
			Instant latest = run.dueTimes().get(0).dueAt();
			assertThat(latest).as(cron).isBeforeOrEqualTo(now);
			assertThat(rhythm.next(latest)).as(cron).isAfter(now).isEqualTo(run.nextRunAt());
		}
	}

	@Test
	void jitterPutsOffTheJobAndNotTheDueTimeAndIsTheSameEverywhere() {
		List<Duration> delays = new ArrayList<>();
		for (int i = 0; i < 100; i++) {
			DueSchedule schedule = new DueSchedule("report-" + i, 1, always(HOURLY), MissedPolicy.ONCE,
					Duration.ofMinutes(10), at("10:00:00"), at("10:00:01"));
			DueTime time = DueTimes.of(schedule).dueTimes().get(0);
			assertThat(DueTimes.of(schedule).dueTimes()).containsExactly(time);
			assertThat(time.dueAt()).isEqualTo(at("10:00:00"));
			delays.add(Duration.between(time.dueAt(), time.runAt()));
		}
		assertThat(delays).allSatisfy((delay) -> assertThat(delay).isBetween(Duration.ZERO, Duration.ofMinutes(10)));
		assertThat(delays.stream().filter((delay) -> delay.compareTo(Duration.ofMinutes(5)) < 0).count()).isBetween(25L,
				75L);
	}

	private static ScheduleRun run(Rhythm rhythm, MissedPolicy missed, String dueAt, String now) {
		return DueTimes.of(new DueSchedule("s", 1, always(rhythm), missed, Duration.ZERO, at(dueAt), at(now)));
	}

	private static Occurrences always(Rhythm rhythm) {
		return new Occurrences(rhythm, Validity.ALWAYS, null);
	}

	private static List<String> times(ScheduleRun run) {
		return run.dueTimes().stream().map((time) -> time.dueAt().toString().substring(11, 19)).toList();
	}

	private static Instant at(String time) {
		return Instant.parse("2026-05-13T" + time + "Z");
	}

}

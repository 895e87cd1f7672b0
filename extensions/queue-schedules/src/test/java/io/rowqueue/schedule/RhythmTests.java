package io.rowqueue.schedule;

import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

import io.rowqueue.JobRequest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.scheduling.support.CronExpression;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/** When recurring jobs are due, above all where clocks are changed. */
class RhythmTests {

	@ParameterizedTest
	@CsvSource(delimiter = '|',
			textBlock = """
					# forward: a time that is leapt over is due at the leap, once
					0 30 2 * * *     | Europe/Berlin       | 2026-03-27T12:00 | 28T02:30+01:00 29T03:00+02:00 30T02:30+02:00
					0 0,30 2 * * *   | Europe/Berlin       | 2026-03-28T12:00 | 29T03:00+02:00 30T02:00+02:00 30T02:30+02:00
					0 30 2 * * *     | America/New_York    | 2026-03-06T12:00 | 07T02:30-05:00 08T03:00-04:00 09T02:30-04:00
					0 15 2 * * *     | Australia/Lord_Howe | 2026-10-02T12:00 | 03T02:15+10:30 04T02:30+11:00 05T02:15+11:00
					0 0 0 * * *      | America/Sao_Paulo   | 2018-11-02T12:00 | 03T00:00-03:00 04T01:00-02:00 05T00:00-02:00
					0 0 * * * *      | Europe/Berlin       | 2026-03-29T00:00 | 29T01:00+01:00 29T03:00+02:00 29T04:00+02:00
					0 */30 * * * *   | Europe/Berlin       | 2026-03-29T01:00 | 29T01:30+01:00 29T03:00+02:00 29T03:30+02:00
					# back: a time that is shown twice is due the first time
					0 30 2 * * *     | Europe/Berlin       | 2026-10-23T12:00 | 24T02:30+02:00 25T02:30+02:00 26T02:30+01:00
					0 30 1 * * *     | America/New_York    | 2026-10-30T12:00 | 31T01:30-04:00 01T01:30-04:00 02T01:30-05:00
					0 45 1 * * *     | Australia/Lord_Howe | 2027-04-02T12:00 | 03T01:45+11:00 04T01:45+11:00 05T01:45+10:30
					0 0 0 * * *      | America/Havana      | 2026-10-30T12:00 | 31T00:00-04:00 01T00:00-04:00 02T00:00-05:00
					# but each hour is each hour
					0 0 * * * *      | Europe/Berlin       | 2026-10-25T00:30 | 25T01:00+02:00 25T02:00+02:00 25T02:00+01:00 25T03:00+01:00
					0 */20 * * * *   | Australia/Lord_Howe | 2027-04-04T01:20 | 04T01:40+11:00 04T01:40+10:30 04T02:00+10:30
					# no change of clocks
					0 30 2 * * *     | Asia/Kolkata        | 2026-03-27T12:00 | 28T02:30+05:30 29T02:30+05:30 30T02:30+05:30
					0 30 2 * * *     | UTC                 | 2026-10-23T12:00 | 24T02:30Z 25T02:30Z 26T02:30Z
					""")
	void aRhythmFollowsTheClocksOnTheWall(String cron, String zone, LocalDateTime from, String expected) {
		ZoneId id = ZoneId.of(zone);
		Rhythm rhythm = Rhythm.cron(cron, zone);
		List<String> times = new ArrayList<>();
		Instant time = from.atZone(id).toInstant();
		for (int i = 0; i < expected.split(" ").length; i++) {
			time = rhythm.next(time);
			times.add(time.atZone(id).toOffsetDateTime().toString().substring(8));
		}
		assertThat(times).containsExactly(expected.split(" "));
	}

	@ParameterizedTest
	@ValueSource(strings = { "Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "America/Sao_Paulo",
			"America/Havana", "Africa/Casablanca", "Asia/Kolkata", "Pacific/Chatham", "UTC" })
	void aDailyTimeIsDueOnceADay(String zone) {
		for (int minute = 0; minute < 24 * 60; minute += 30) {
			Rhythm rhythm = Rhythm.cron("0 %d %d * * *".formatted(minute % 60, minute / 60), zone);
			Set<LocalDate> days = new HashSet<>();
			Instant time = LocalDate.of(2018, 1, 1).atStartOfDay(ZoneId.of(zone)).minusSeconds(1).toInstant();
			Instant end = LocalDate.of(2019, 1, 1).atStartOfDay(ZoneId.of(zone)).toInstant();
			int runs = 0;
			for (time = rhythm.next(time); time.isBefore(end); time = rhythm.next(time)) {
				days.add(LocalDate.ofInstant(time, ZoneId.of(zone)));
				runs++;
			}
			assertThat(runs).as("%s %d", zone, minute).isEqualTo(365);
			assertThat(days).as("%s %d", zone, minute).hasSize(365);
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "Africa/Casablanca", "UTC" })
	void aTimeOfEachHourIsDueWheneverTheClocksShowIt(String zone) {
		Rhythm rhythm = Rhythm.cron("0 */15 * * * *", zone);
		Instant time = Instant.parse("2026-01-01T00:00:00Z");
		Instant end = Instant.parse("2027-01-01T00:00:00Z");
		while (time.isBefore(end)) {
			Instant next = rhythm.next(time);
			assertThat(Duration.between(time, next)).isEqualTo(Duration.ofMinutes(15));
			time = next;
		}
	}

	@Test
	void aRhythmIsWhatSpringSaysWhereNoClockIsChanged() {
		for (String cron : List.of("0 0 2 * * MON-FRI", "*/7 * * * * *", "0 0 12 L * *", "0 0 8 * * MON#1", "@hourly",
				"@daily", "@monthly", "0 0 9-17/2 * * *")) {
			CronExpression spring = CronExpression.parse(cron);
			Rhythm rhythm = Rhythm.cron(cron, "UTC");
			Instant time = Instant.parse("2026-05-13T11:22:33Z");
			for (int i = 0; i < 50; i++) {
				Instant next = rhythm.next(time);
				assertThat(next).isEqualTo(spring.next(time.atZone(ZoneId.of("UTC"))).toInstant());
				time = next;
			}
		}
	}

	@Test
	void aRhythmMayNeverBeDue() {
		assertThat(Stream.of("0 0 0 30 2 *", "0 0 * 30 2 *")
			.map((cron) -> Rhythm.cron(cron, "Europe/Berlin").next(Instant.parse("2026-01-01T00:00:00Z"))))
			.containsOnlyNulls();
	}

	@Test
	void anIntervalIsCountedFromTheTimeBefore() {
		Instant time = Instant.parse("2026-03-29T00:30:00Z");
		assertThat(Rhythm.every(Duration.ofMinutes(90)).next(time)).isEqualTo(time.plusSeconds(5400));
	}

	@Test
	void aRhythmReportsWhatIsWrong() {
		assertThatIllegalArgumentException().isThrownBy(() -> Rhythm.cron("2 * * *", "UTC"))
			.withMessageContainingAll("cron must be five fields", "or six", "'2 * * *'");
		assertThatIllegalArgumentException().isThrownBy(() -> Rhythm.cron("0 0 2 * * *", "Europe/Bärlin"))
			.withMessageContainingAll("zone must be", "'Europe/Bärlin'");
		assertThatIllegalArgumentException().isThrownBy(() -> Rhythm.every(Duration.ofMillis(999)))
			.withMessage("every must be at least 1s, not PT0.999S");
		JobRequest job = JobRequest.of("report");
		Rhythm rhythm = Rhythm.every(Duration.ofHours(1));
		assertThatIllegalArgumentException()
			.isThrownBy(() -> Schedule.of("report", rhythm, job.delay(Duration.ofSeconds(1))))
			.withMessageContaining("must not have a runAt, a delay or spreadOver");
		assertThatIllegalArgumentException().isThrownBy(() -> Schedule.of("report", rhythm, job.uniqueKey("key")))
			.withMessageContaining("must not have a uniqueKey");
		assertThatIllegalArgumentException()
			.isThrownBy(() -> Schedule.of("report", rhythm, job).missed(MissedPolicy.ALL))
			.withMessageContaining("only be all if overlap is queue");
	}

}

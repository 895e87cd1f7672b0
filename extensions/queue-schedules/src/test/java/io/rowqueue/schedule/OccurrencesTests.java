package io.rowqueue.schedule;

import java.time.DayOfWeek;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

import io.rowqueue.JobRequest;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/** When a schedule is due that is restricted to some days. */
class OccurrencesTests {

	private static final ZoneId BERLIN = ZoneId.of("Europe/Berlin");

	/** Without weekends and Christmas; 2026-12-25 is a Friday. */
	private static final JobCalendar BANK_DAYS = JobCalendar.of("bank-days",
			(day) -> !EnumSet.of(DayOfWeek.SATURDAY, DayOfWeek.SUNDAY).contains(day.getDayOfWeek())
					&& !Set.of(LocalDate.of(2026, 12, 25), LocalDate.of(2027, 1, 1)).contains(day));

	@ParameterizedTest
	@CsvSource(delimiter = '|', textBlock = """
			# each day
			0 8 * * *      | SKIP     | 2026-12-24T07:00 | 24T08:00 28T08:00 29T08:00
			0 8 * * *      | NEXT_DAY | 2026-12-24T07:00 | 24T08:00 28T08:00 29T08:00
			# only on excluded days
			0 8 * * SAT    | SKIP     | 2026-12-24T07:00 | none
			0 8 * * SAT    | NEXT_DAY | 2026-12-24T07:00 | 28T08:00 04T08:00
			# the first of a month is a holiday and a Friday
			30 6 1 * *     | SKIP     | 2026-12-02T07:00 | 01T06:30 01T06:30
			30 6 1 * *     | NEXT_DAY | 2026-12-02T07:00 | 04T06:30 01T06:30
			# times of a day keep their order, also those that moved from several days
			0 18 * * FRI   | NEXT_DAY | 2026-12-24T07:00 | 28T18:00 04T18:00
			0 9,17 * * *   | NEXT_DAY | 2026-12-24T12:00 | 24T17:00 28T09:00 28T17:00 29T09:00
			0 6 * * SUN    | NEXT_DAY | 2026-12-28T06:00 | 04T06:00
			# the clocks are changed on an excluded Sunday: its time moves as it is written
			30 2 * * *     | NEXT_DAY | 2026-03-27T12:00 | 30T02:30 31T02:30
			30 2 * * SUN   | NEXT_DAY | 2026-03-27T12:00 | 30T02:30 06T02:30
			# a second of an excluded day
			*/1 * * * * *  | SKIP     | 2026-12-24T23:59:58 | 24T23:59:59 28T00:00 28T00:00:01
			""")
	void aCalendarExcludesDays(String cron, ExcludedPolicy policy, LocalDateTime after, String expected) {
		Rhythm rhythm = Rhythm.cron(cron, "Europe/Berlin");
		JobCalendar calendar = expected.equals("none") ? JobCalendar.of("none", (day) -> false) : BANK_DAYS;
		Occurrences occurrences = new Occurrences(rhythm, Validity.ALWAYS.calendar(calendar.name(), policy), calendar);
		List<String> times = new ArrayList<>();
		@Nullable Instant time = occurrences.next(after.atZone(BERLIN).toInstant());
		for (int i = 1; time != null && i < expected.split(" ").length; i++) {
			times.add(local(time));
			time = occurrences.next(time);
		}
		times.add((time != null) ? local(time) : "none");
		assertThat(times).containsExactly(expected.split(" "));
	}

	@ParameterizedTest
	@CsvSource({ "30 2 * * *, 2026-03-30T00:30:00Z", "30 2 * * SAT, 2026-04-05T00:30:00Z" })
	void aTimeThatMovesToADayWhoseClocksSkipItIsDueAtTheChange(String cron, Instant next) {
		JobCalendar calendar = JobCalendar.of("no-saturdays", (day) -> day.getDayOfWeek() != DayOfWeek.SATURDAY);
		Occurrences occurrences = new Occurrences(Rhythm.cron(cron, "Europe/Berlin"),
				Validity.ALWAYS.calendar("no-saturdays", ExcludedPolicy.NEXT_DAY), calendar);
		Instant change = at("2026-03-29T01:00:00Z");
		assertThat(occurrences.next(at("2026-03-28T12:00:00Z"))).isEqualTo(change);
		assertThat(occurrences.next(change)).isEqualTo(next);
	}

	private static String local(Instant time) {
		return LocalDateTime.ofInstant(time, BERLIN).toString().substring(8);
	}

	@Test
	void aScheduleBeginsAndEnds() {
		Validity december = Validity.ALWAYS.from(at("2026-12-01T00:00:00Z")).until(at("2026-12-03T00:00:00Z"));
		Occurrences daily = new Occurrences(Rhythm.cron("0 0 * * *", "UTC"), december, null);
		assertThat(daily.next(at("2026-01-01T00:00:00Z"))).isEqualTo(at("2026-12-01T00:00:00Z"));
		assertThat(daily.next(at("2026-12-01T00:00:00Z"))).isEqualTo(at("2026-12-02T00:00:00Z"));
		assertThat(daily.next(at("2026-12-02T00:00:00Z"))).as("the end is not included").isNull();
	}

	@Test
	void anIntervalIsCountedFromTheBeginning() {
		Occurrences often = new Occurrences(Rhythm.every(Duration.ofMinutes(7)),
				Validity.ALWAYS.from(at("2026-12-01T00:00:00Z")), null);
		assertThat(often.next(at("2026-11-30T23:00:00Z"))).isEqualTo(at("2026-12-01T00:00:00Z"));
		assertThat(often.next(at("2026-12-01T00:08:00Z"))).isEqualTo(at("2026-12-01T00:14:00Z"));
		assertThat(often.next(at("2026-12-01T00:14:00Z"))).isEqualTo(at("2026-12-01T00:21:00Z"));
	}

	@Test
	void whatIsNotValidIsRejected() {
		Schedule often = Schedule.of("often", Rhythm.every(Duration.ofMinutes(7)), JobRequest.of("often"));
		assertThatIllegalArgumentException()
			.isThrownBy(() -> often.validity(Validity.ALWAYS.calendar("bank-days", ExcludedPolicy.SKIP)))
			.withMessageContaining("calendar requires a cron expression");
		assertThatIllegalArgumentException()
			.isThrownBy(() -> Validity.ALWAYS.until(at("2026-12-01T00:00:00Z")).from(at("2026-12-01T00:00:00Z")))
			.withMessageContaining("must be after from");
	}

	private static Instant at(String time) {
		return Instant.parse(time);
	}

}

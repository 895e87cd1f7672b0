package io.rowqueue.window;

import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;

import io.rowqueue.window.Window.Opening;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/** When windows are open. */
class WindowTests {

	@ParameterizedTest
	@CsvSource(delimiter = '|', textBlock = """
			# over midnight, workdays: 2026-05-13 is a Wednesday
			MON-FRI 23:00-06:00 | Europe/Moscow    | 2026-05-13T12:00 | 13T23:00 14T06:00
			MON-FRI 23:00-06:00 | Europe/Moscow    | 2026-05-13T23:00 | 13T23:00 14T06:00
			MON-FRI 23:00-06:00 | Europe/Moscow    | 2026-05-14T05:59 | 13T23:00 14T06:00
			MON-FRI 23:00-06:00 | Europe/Moscow    | 2026-05-14T06:00 | 14T23:00 15T06:00
			MON-FRI 23:00-06:00 | Europe/Moscow    | 2026-05-16T03:00 | 15T23:00 16T06:00
			MON-FRI 23:00-06:00 | Europe/Moscow    | 2026-05-16T07:00 | 18T23:00 19T06:00
			# the same day
			9:00-17:30          | Asia/Kolkata     | 2026-05-13T08:00 | 13T09:00 13T17:30
			# whole days that touch are one opening
			SAT,SUN 00:00-24:00 | UTC              | 2026-05-13T08:00 | 16T00:00 18T00:00
			FRI-MON 20:00-20:00 | UTC              | 2026-05-17T08:00 | 15T20:00 19T20:00
			# changes of clocks: to the leap, and to the first time
			01:00-02:30         | Europe/Berlin    | 2026-03-29T00:00 | 29T01:00 29T03:00
			22:00-02:30         | Europe/Berlin    | 2026-10-24T23:00 | 24T22:00 25T02:30
			02:30-05:00         | America/New_York | 2026-03-08T00:00 | 08T03:00 08T05:00
			# leapt over whole: not open that day
			02:10-02:50         | Europe/Berlin    | 2026-03-29T00:00 | 30T02:10 30T02:50
			# the only one of a week: the next one is on 2026-04-05
			SUN 02:00-03:00     | Europe/Berlin    | 2026-03-22T10:00 | 05T02:00 05T03:00
			""")
	void openAndCloseByTheClocksOnTheWall(String times, String zone, LocalDateTime at, String expected) {
		ZoneId id = ZoneId.of(zone);
		Opening opening = Window.of("window", zone, times).opening(at.atZone(id).toInstant());
		assertThat(local(opening.from(), id) + " " + local(opening.until(), id)).isEqualTo(expected);
	}

	@Test
	void severalTimesMayOverlap() {
		Window window = Window.of("window", "UTC", "MON-FRI 20:00-02:00", "01:00-03:00", "WED 03:00-04:00");
		assertThat(window.opening(Instant.parse("2026-05-13T00:00:00Z")))
			.isEqualTo(new Opening(Instant.parse("2026-05-12T20:00:00Z"), Instant.parse("2026-05-13T04:00:00Z")));
	}

	@Test
	void oneThatNeverClosesIsOpenForMoreThanAWeek() {
		Instant now = Instant.parse("2026-05-13T12:34:56Z");
		Opening opening = Window.of("always", "Europe/Berlin", "00:00-24:00").opening(now);
		assertThat(opening.from()).isBefore(now);
		assertThat(opening.until()).isAfter(now.plus(Duration.ofDays(7)));
	}

	@ParameterizedTest
	@ValueSource(strings = { "MON-FRI 23:00-06:00", "22:30-04:00", "SAT,SUN 00:00-24:00", "FRI-MON 9:00-17:00" })
	void aTimeIsReadAsItIsWritten(String text) {
		OpeningHours range = OpeningHours.parse(text);
		assertThat(OpeningHours.parse(range.toString())).isEqualTo(range);
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "23:00", "MON", "MON-XYZ 23:00-06:00", "25:00-26:00", "MON 23-6", "24:00-25:00",
			"FRI 24:00-06:00" })
	void aWrongTimeIsRefused(String text) {
		assertThatIllegalArgumentException().isThrownBy(() -> OpeningHours.parse(text))
			.withMessageContaining("times must be such as 'MON-FRI 23:00-06:00'");
	}

	@Test
	void aTimeThatIsTooLongIsRefusedBeforeItIsRead() {
		assertThatIllegalArgumentException().isThrownBy(() -> OpeningHours.parse("MON" + " ".repeat(32_000) + "x"))
			.withMessage("times must have at most 200 characters, not 32004");
	}

	@Test
	void aWindowWithoutTimesOrZoneIsRefused() {
		assertThatIllegalArgumentException().isThrownBy(() -> Window.of("window", "UTC"))
			.withMessageContaining("times must not be empty");
		assertThatIllegalArgumentException().isThrownBy(() -> Window.of("window", "Mars", "22:00-04:00"))
			.withMessageContaining("zone must be");
	}

	private static String local(Instant time, ZoneId zone) {
		return LocalDateTime.ofInstant(time, zone).toString().substring(8);
	}

}

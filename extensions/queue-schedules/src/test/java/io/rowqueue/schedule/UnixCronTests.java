package io.rowqueue.schedule;

import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/** Cron expressions with five fields mean what they mean in Unix. */
class UnixCronTests {

	/** 2026-11-01 is a Sunday. */
	@ParameterizedTest
	@CsvSource(delimiter = '|', textBlock = """
			# at second 0
			30 2 * * *       | 11-01T02:30 11-02T02:30
			*/20 4 * * *     | 11-01T04:00 11-01T04:20
			# Sunday is 0, 7 and SUN
			0 0 * * 0        | 11-08T00:00 11-15T00:00
			0 0 * * 7        | 11-08T00:00 11-15T00:00
			0 0 * * SUN      | 11-08T00:00 11-15T00:00
			0 0 * * 1-5      | 11-02T00:00 11-03T00:00
			0 0 * * 5-7      | 11-06T00:00 11-07T00:00
			# days of the month or of the week, if both are given
			0 0 13 * FRI     | 11-06T00:00 11-13T00:00 11-20T00:00
			0 0 1,15 * 1     | 11-02T00:00 11-09T00:00 11-15T00:00 11-16T00:00
			# and both, if one of them begins with *
			0 0 */10 * 3     | 11-11T00:00 03-31T00:00
			# Spring's expression means both
			0 0 0 13 * FRI   | 11-13T00:00 08-13T00:00
			""")
	void fiveFieldsAreThoseOfUnix(String cron, String expected) {
		Rhythm rhythm = Rhythm.cron(cron, "UTC");
		List<String> times = new ArrayList<>();
		Instant time = Instant.parse("2026-11-01T00:00:00Z");
		for (int i = 0; i < expected.split(" ").length; i++) {
			time = rhythm.next(time);
			times.add(LocalDateTime.ofInstant(time, ZoneOffset.UTC).toString().substring(5));
		}
		assertThat(times).containsExactly(expected.split(" "));
	}

	@Test
	void eachHourIsEachHourThatPasses() {
		Rhythm rhythm = Rhythm.cron("0 * * * *", "Europe/Berlin");
		Instant first = Instant.parse("2026-10-25T00:00:00Z");
		assertThat(rhythm.next(first)).isEqualTo(first.plusSeconds(3600));
		assertThat(rhythm.next(first.plusSeconds(3600))).isEqualTo(first.plusSeconds(7200));
	}

	@ParameterizedTest
	@ValueSource(strings = { "* * * *", "60 * * * *", "* * * * 8", "* * * * * * *", "@reboot", "" })
	void anExpressionThatIsNotValidIsRejected(String cron) {
		assertThatIllegalArgumentException().isThrownBy(() -> Rhythm.cron(cron, "UTC"));
	}

}

package io.rowqueue.engine.support;

import java.time.Duration;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

class TimesTests {

	@ParameterizedTest
	@CsvSource({ "PT0S,0 ms", "PT0.0499S,49 ms", "PT0.9999S,999 ms", "PT1S,1 s", "PT1.25S,1.2 s", "PT9.96S,9.9 s",
			"PT42.9S,42 s", "PT119S,1 min 59 s", "PT2M,2 min", "PT119M59S,1 h 59 min", "PT2H,2 h", "PT24H59S,1 d",
			"P10D,10 d", "PT-252S,−4 min 12 s" })
	void durationsAreReadable(Duration duration, String text) {
		assertThat(Times.readable(duration)).isEqualTo(text);
	}

}

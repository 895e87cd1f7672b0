package io.rowqueue.engine.support;

import java.time.Duration;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

class TimesTests {

	@ParameterizedTest
	@CsvSource({ "PT0S,0.0 s", "PT0.049S,0.0 s", "PT1.25S,1.3 s", "PT119S,119.0 s", "PT2M,2 min", "PT119M,119 min",
			"PT2H,2 h", "P10D,240 h" })
	void durationsAreReadable(Duration duration, String text) {
		assertThat(Times.readable(duration)).isEqualTo(text);
	}

}

package io.rowqueue.engine.support;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

class LogTextTests {

	@ParameterizedTest
	@ValueSource(strings = { "\n", "\r", "\t", "\0", "\u001b", "\u007f", "\u0085", "\u009b", "\u202e", "\u2066",
			"\u200b", "\u2028", "\u2029" })
	void logTextEndsNoLineAndControlsNoTerminal(String control) {
		assertThat(LogText.oneLine("mail" + control + "INFO all is well")).isEqualTo("mail INFO all is well");
	}

	@Test
	void logTextLeavesOtherTextAlone() {
		String text = "b\u00fccher  '\u4e2d\u6587' \ud83d\ude00 $1 \\";
		assertThat(LogText.oneLine(text)).isEqualTo(text);
		assertThat(LogText.lines(text)).isEqualTo(text);
	}

	@Test
	void logTextKeepsTheLinesOfAStackTrace() {
		assertThat(LogText.lines("broken\r\n\tat here\n\tat there")).isEqualTo("broken\n\tat here\n\tat there");
	}

	@ParameterizedTest
	@ValueSource(strings = { "\r", "\0", "\u001b", "\u009b", "\u202e", "\u2028" })
	void aStackTraceControlsNoTerminal(String control) {
		assertThat(LogText.lines("a" + control + "b\n")).isEqualTo("a\uFFFDb\n");
	}

}

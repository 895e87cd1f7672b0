package io.rowqueue.engine.codec;

import java.util.Map;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/** Headers are names and texts, also if they were written with SQL. */
class JsonTextsTests {

	@Test
	void headersAreReadBackAsTheyWereWritten() {
		Map<String, String> headers = Map.of("window", "night", "traceparent", "00-1");
		assertThat(JsonTexts.read(JsonTexts.write(headers))).isEqualTo(headers);
	}

	@Test
	void aHeaderHasNoCharacterThatPostgresqlCannotRead() {
		assertThat(JsonTexts.read(JsonTexts.write(Map.of("a", "x\0y", "b", "\\u0000"))))
			.isEqualTo(Map.of("a", "x\uFFFDy", "b", "\\u0000"));
	}

	/** A header is read as a text, or is missing. */
	@Test
	void aHeaderWithoutATextIsNone() {
		assertThat(JsonTexts.read("{\"a\":null,\"b\":\"text\"}")).isEqualTo(Map.of("b", "text"));
	}

	@ParameterizedTest
	@ValueSource(strings = { "null", "[]", "5", "{\"a\":{}}", "{\"a\"" })
	void whatIsNoHeadersIsNotWorthAnAttempt(String json) {
		assertThat(JsonTexts.read(json)).isEmpty();
	}

}

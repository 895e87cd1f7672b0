package io.rowqueue.engine.support;

import java.util.List;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class ErrorTextTests {

	@Test
	void errorTextIsTheStackTrace() {
		IllegalStateException error = new IllegalStateException("broken", new IllegalArgumentException("cause"));
		assertThat(ErrorText.of(error)).startsWith("java.lang.IllegalStateException: broken")
			.contains("at " + ErrorTextTests.class.getName())
			.contains("Caused by: java.lang.IllegalArgumentException: cause")
			.doesNotEndWith("\n");
	}

	@Test
	void errorTextIsCut() {
		String text = ErrorText.of(new IllegalStateException("x".repeat(1_000_000)));
		assertThat(text).hasSize(ErrorText.MAX_LENGTH + 4).endsWith("x ...");
	}

	@Test
	void errorTextIsNotCutInTheMiddleOfACharacter() {
		for (int before : List.of(0, 1)) {
			String text = ErrorText.of(new IllegalStateException("x".repeat(before) + "😀".repeat(20_000)));
			assertThat(text.substring(0, text.length() - 4)).endsWith("😀");
		}
	}

	@Test
	void errorTextContainsNoNul() {
		assertThat(ErrorText.of(new IllegalStateException("a\0b"))).contains("a\uFFFDb").doesNotContain("\0");
	}

	@Test
	void errorTextIsTheClassOfAnErrorWhoseMessageFails() {
		assertThat(ErrorText.of(new Unspeakable())).isEqualTo(Unspeakable.class.getName());
		assertThat(ErrorText.summary(new Unspeakable())).isEqualTo(Unspeakable.class.getName());
	}

	@Test
	void errorTextHasASummaryInOneLine() {
		assertThat(ErrorText.summary(new IllegalStateException("one\n\ttwo  three")))
			.isEqualTo("java.lang.IllegalStateException: one two three");
		assertThat(ErrorText.summary(new IllegalStateException("x".repeat(1000)))).hasSizeLessThan(510);
	}

	@Test
	void errorTextControlsNoTerminal() {
		IllegalStateException error = new IllegalStateException("no such file: \u001b[2Ja\u009b1mb\u202ec");
		assertThat(ErrorText.summary(error)).isEqualTo("java.lang.IllegalStateException: no such file: [2Ja 1mb c");
		assertThat(ErrorText.message(error)).isEqualTo("no such file: [2Ja 1mb c");
		assertThat(ErrorText.of(error)).contains("no such file: \uFFFD[2Ja\uFFFD1mb\uFFFDc")
			.contains("\tat " + ErrorTextTests.class.getName());
	}

	@Test
	void errorTextHandlesACircleOfCauses() {
		IllegalStateException inner = new IllegalStateException("inner");
		IllegalStateException outer = new IllegalStateException("outer", inner);
		assertThat(Causes.of(outer)).containsExactly(outer, inner);
		inner.initCause(outer);
		assertThat(Causes.of(outer)).hasSizeGreaterThan(1).hasSizeLessThan(100);
	}

	private static final class Unspeakable extends RuntimeException {

		@Override
		public String getMessage() {
			throw new StackOverflowError();
		}

	}

}

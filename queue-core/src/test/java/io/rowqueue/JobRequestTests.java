package io.rowqueue;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNoException;
import static org.junit.jupiter.params.provider.Arguments.arguments;

/** What can be asked for, and how the rest is refused. */
class JobRequestTests {

	private static final JobRequest JOB = JobRequest.of("type");

	@ParameterizedTest
	@MethodSource
	void whatCannotBeStoredIsRefusedByName(UnaryOperator<JobRequest> change, String message) {
		assertThatIllegalArgumentException().isThrownBy(() -> change.apply(JOB)).withMessageContaining(message);
	}

	static Stream<Arguments> whatCannotBeStoredIsRefusedByName() {
		return Stream.of(refused((job) -> JobRequest.of(null), "type must not be null"),
				refused((job) -> JobRequest.of(""), "type must not be blank"),
				refused((job) -> JobRequest.of("x".repeat(201)), "type must have at most 200 characters, not 201"),
				refused((job) -> JobRequest.of("a\0b"), "type must not contain the character NUL"),
				refused((job) -> JobRequest.of("cut \uD83D"),
						"type must not contain half a character (a surrogate without its other half), which PostgreSQL"
								+ " cannot store: \\uD83D at index 4"),
				refused((job) -> job.queue("\uDC18x"), "queue must not contain half a character"),
				refused((job) -> JobRequest.of("a\nb"),
						"type must not contain control characters, line separators or"
								+ " characters that change the direction of text: \\u000A at index 1"),
				refused((job) -> job.queue("\u001B[31m"), "queue must not contain control characters"),
				refused((job) -> job.queue("a\u0085"), "queue must not contain control characters"),
				refused((job) -> job.queue("a\u2029"), "queue must not contain control characters"),
				refused((job) -> job.queue("\u202Eliam"), "\\u202E at index 0"),
				refused((job) -> job.limitKey("customer:\u2066"), "limitKey must not contain control characters"),
				refused((job) -> job.queue("  "), "queue must not be blank"),
				refused((job) -> job.queue("a\0b"),
						"queue must not contain the character NUL, which PostgreSQL cannot" + " store: a\\0b"),
				refused((job) -> job.priority(32768), "priority must be from -32768 to 32767, not 32768"),
				refused((job) -> job.delay(Duration.ofNanos(-1)), "delay must be from 0 to 365000 days"),
				refused((job) -> job.delay(Duration.ofSeconds(Long.MAX_VALUE)), "delay must be from 0 to 365000 days"),
				refused((job) -> job.tolerance(JobRequest.MAX_DELAY.plusNanos(1)), "tolerance must be from 0 to"),
				refused((job) -> job.runAt(Instant.MIN), "runAt must be between 1970 and the year 2969"),
				refused((job) -> job.runAt(Instant.MAX), "runAt must be between 1970 and the year 2969"),
				refused((job) -> job.spreadOver(Duration.ofNanos(-1)), "spreadOver must be from 0 to 365000 days"),
				refused((job) -> job.spreadOver(Duration.ofDays(1)).delay(JobRequest.MAX_DELAY),
						"delay and spreadOver together must be from 0 to 365000 days"),
				refused((job) -> job.runAt(Instant.parse("2969-01-01T00:00:00Z")).spreadOver(Duration.ofDays(999)),
						"runAt with spreadOver must be between 1970 and the year 2969"),
				refused((job) -> job.maxAttempts(0), "maxAttempts must be from 1 to 32767, not 0"),
				refused((job) -> job.uniqueKey("x".repeat(501)), "uniqueKey must have at most 500 characters, not 501"),
				refused((job) -> job.uniqueKey(""), "uniqueKey must not be blank"),
				refused((job) -> job.uniqueKey(" \t"), "uniqueKey must not be blank"),
				refused((job) -> job.uniqueKey(null), "uniqueKey must not be null"),
				refused((job) -> job.runAt(null), "runAt must not be null"),
				refused((job) -> job.expiresAt(null), "expiresAt must not be null"),
				refused((job) -> job.limitKey(null), "limitKey must not be null"),
				refused((job) -> job.tags("a", null), "tag must not be null"),
				refused((job) -> job.header("a", null), "header 'a' must not be null"),
				refused((job) -> job.onFailure(null), "onFailure must not be null"),
				refused((job) -> job.uniqueKey("\0"), "uniqueKey must not contain the character NUL"),
				refused((job) -> job.uniqueKey("a\uD83D\uD83D\uDC18"), "uniqueKey must not contain half a character"),
				refused((job) -> job.uniqueFor(Duration.ZERO), "uniqueFor needs a key: call uniqueKey(…) before it"),
				refused((job) -> job.duplicates(DuplicatePolicy.keep()), "duplicates needs a key: call uniqueKey"),
				refused((job) -> job.uniqueKey("k").uniqueFor(Duration.ofNanos(-1)), "uniqueFor must be from 0 to"),
				refused((job) -> job.uniqueKey("k").duplicates(null), "duplicates must not be null"));
	}

	@Test
	void namesCanHaveAnyOtherCharacters() {
		for (String name : List.of("a\"b\\c{d},'e;--%s ?? $1 NULL", "\uD83D\uDC18", "\uFFFF\u00A0\u200F",
				"x".repeat(200))) {
			assertThatNoException().isThrownBy(() -> JobRequest.of(name).queue(name).uniqueKey(name));
		}
	}

	@Test
	void aUniqueKeyCanHaveControlCharacters() {
		assertThatNoException().isThrownBy(() -> JOB.uniqueKey("\u0001\n\u202E"));
	}

	@Test
	void aKeyKeepsWhatWasSaidOfIt() {
		JobRequest job = JOB.uniqueKey("a")
			.uniqueFor(JobRequest.FOREVER)
			.duplicates(DuplicatePolicy.replace())
			.uniqueKey("b")
			.queue("mail")
			.priority(1)
			.delay(Duration.ofHours(1))
			.tolerance(Duration.ofHours(1))
			.maxAttempts(1);
		assertThat(job.unique()).isEqualTo(new UniqueKey("b", JobRequest.FOREVER, DuplicatePolicy.replace()));
		assertThat(JOB.unique()).isNull();
	}

	private static Arguments refused(UnaryOperator<JobRequest> change, String message) {
		return arguments(change, message);
	}

}

package io.rowqueue;

import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;

import io.rowqueue.testing.TestJobContext;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

class RetryPolicyTests {

	@Test
	void anExponentialPolicyMultipliesEachDelayUpToTheMaximum() {
		assertThat(pauses(RetryPolicy.exponential(seconds(2), 3, seconds(60), 0))).containsExactly(seconds(2),
				seconds(6), seconds(18), seconds(54), seconds(60), seconds(60));
	}

	@Test
	void aLinearPolicyAddsTheSameTimeUpToTheMaximum() {
		assertThat(pauses(RetryPolicy.linear(seconds(10), seconds(45), 0))).containsExactly(seconds(10), seconds(20),
				seconds(30), seconds(40), seconds(45), seconds(45));
	}

	@Test
	void jitterOnlyShortens() {
		for (int i = 0; i < 1000; i++) {
			assertThat(RetryPolicy.linear(seconds(10), seconds(45), 0.5)
				.delayAfter(TestJobContext.attempt(1), new Exception())).isBetween(seconds(5), seconds(10));
			assertThat(RetryPolicy.exponential(seconds(10), 2, seconds(45), 0.5)
				.delayAfter(TestJobContext.attempt(1), new Exception())).isBetween(seconds(5), seconds(10));
		}
	}

	@Test
	void aFixedPolicyHasTheSameDelayForAllAttempts() {
		assertThat(pauses(RetryPolicy.fixed(seconds(7)))).containsOnly(seconds(7));
	}

	@Test
	void theLastOfTheGivenDelaysIsForTheRest() {
		assertThat(pauses(RetryPolicy.delays(seconds(1), seconds(10), seconds(5)))).containsExactly(seconds(1),
				seconds(10), seconds(5), seconds(5), seconds(5), seconds(5));
	}

	@Test
	void theLongestPausesDoNotOverflow() {
		RetryPolicy policy = RetryPolicy.linear(JobRequest.MAX_DELAY, JobRequest.MAX_DELAY, 0);
		assertThat(policy.delayAfter(TestJobContext.attempt(Short.MAX_VALUE), new Exception()))
			.isEqualTo(JobRequest.MAX_DELAY);
	}

	@Test
	void anInvalidValueIsNamed() {
		assertThatIllegalArgumentException().isThrownBy(() -> RetryPolicy.fixed(seconds(-1)))
			.withMessage("delay must not be negative: PT-1S");
		assertThatIllegalArgumentException().isThrownBy(RetryPolicy::delays)
			.withMessage("there must be at least one delay");
		assertThatIllegalArgumentException().isThrownBy(() -> RetryPolicy.linear(seconds(-1), seconds(1), 0))
			.withMessage("step must not be negative: PT-1S");
		assertThatIllegalArgumentException().isThrownBy(() -> RetryPolicy.linear(seconds(2), seconds(1), 0))
			.withMessage("max (PT1S) must not be shorter than step (PT2S)");
		assertThatIllegalArgumentException().isThrownBy(() -> RetryPolicy.linear(seconds(1), seconds(1), 2))
			.withMessage("jitter must be from 0 to 1, not 2.0");
	}

	private static List<Duration> pauses(RetryPolicy policy) {
		return IntStream.rangeClosed(1, 6)
			.mapToObj((attempt) -> policy.delayAfter(TestJobContext.attempt(attempt), new IllegalStateException()))
			.toList();
	}

	private static Duration seconds(int seconds) {
		return Duration.ofSeconds(seconds);
	}

}

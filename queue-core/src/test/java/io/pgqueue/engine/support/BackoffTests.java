package io.pgqueue.engine.support;

import java.time.Duration;

import org.junit.jupiter.api.RepeatedTest;

import static org.assertj.core.api.Assertions.assertThat;

class BackoffTests {

	private final Backoff backoff = new Backoff();

	@RepeatedTest(20)
	void waitsLongerEachTimeUpToFiveSeconds() {
		for (long most : new long[] { 100, 200, 400, 800, 1600, 3200, 5000, 5000, 5000 }) {
			assertThat(this.backoff.next()).isBetween(Duration.ofMillis(most / 2), Duration.ofMillis(most));
		}
	}

	@RepeatedTest(20)
	void beginsAgainAfterASuccess() {
		for (int i = 0; i < 10; i++) {
			this.backoff.next();
		}
		assertThat(this.backoff.reset(Duration.ofMinutes(7))).isEqualTo(Duration.ofMinutes(7));
		assertThat(this.backoff.next()).isLessThanOrEqualTo(Duration.ofMillis(100));
	}

}

package io.pgqueue.engine.support;

import java.time.Duration;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class RestTests {

	@Test
	void isSoManyTimesAsLongAsItTook() {
		assertThat(Rest.TWENTYFOLD.after(Duration.ofMillis(3))).isEqualTo(Duration.ofMillis(60));
		assertThat(new Rest(50).after(Duration.ofMillis(3))).isEqualTo(Duration.ofMillis(150));
		assertThat(Rest.TWENTYFOLD.after(Duration.ZERO)).isZero();
	}

	@Test
	void isNotShorterThanTheShortest() {
		Duration shortest = Duration.ofSeconds(1);
		assertThat(Rest.TWENTYFOLD.after(Duration.ZERO, shortest)).isEqualTo(shortest);
		assertThat(Rest.TWENTYFOLD.after(Duration.ofMillis(50), shortest)).isEqualTo(shortest);
		assertThat(Rest.TWENTYFOLD.after(Duration.ofMillis(51), shortest)).isEqualTo(Duration.ofMillis(1020));
	}

}

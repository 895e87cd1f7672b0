package io.rowqueue.engine.claim;

import java.time.Duration;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class SweepPaceTests {

	private static final long SLOW = Duration.ofSeconds(2).toNanos();

	private final SweepPace pace = new SweepPace();

	@Test
	void aSlowSweepAtTheStartOfAProcessDelaysNoJob() {
		this.pace.swept(SLOW);
		assertThat(this.pace.isSlow()).isFalse();
		assertThat(this.pace.untilAllowed()).isLessThanOrEqualTo(Duration.ofMillis(50));
	}

	@Test
	void sweepsThatStaySlowRest() {
		this.pace.swept(SLOW);
		this.pace.swept(SLOW);
		assertThat(this.pace.isSlow()).isTrue();
		assertThat(this.pace.untilAllowed()).isGreaterThan(Duration.ofSeconds(1));
	}

	@Test
	void aFastSweepEndsTheRests() {
		this.pace.swept(SLOW);
		this.pace.swept(SLOW);
		this.pace.swept(0);
		assertThat(this.pace.isSlow()).isFalse();
	}

}

package io.rowqueue.engine.support;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class SuspendAwareClockTests {

	private final AtomicLong nanos = new AtomicLong(-7);

	private final AtomicLong wall = new AtomicLong(1_000_000);

	private final SuspendAwareClock clock = new SuspendAwareClock(this.nanos::get, this.wall::get);

	private final long begin = this.clock.nanos();

	@Test
	void theClockMeasuresWhatNanoTimeDoes() {
		pass(Duration.ofSeconds(5), Duration.ofSeconds(5));
		assertThat(elapsed()).isEqualTo(Duration.ofSeconds(5));
	}

	@Test
	void theClockCountsTheTimeInWhichNanoTimeStandsStill() {
		pass(Duration.ZERO, Duration.ofHours(1));
		assertThat(elapsed()).isEqualTo(Duration.ofHours(1));
		pass(Duration.ofSeconds(5), Duration.ofSeconds(5));
		assertThat(elapsed()).isEqualTo(Duration.ofHours(1).plusSeconds(5));
	}

	@Test
	void aWallClockThatIsSetBackHidesNothing() {
		pass(Duration.ofSeconds(5), Duration.ofHours(-2));
		assertThat(elapsed()).isEqualTo(Duration.ofSeconds(5));
		pass(Duration.ofSeconds(1), Duration.ofMinutes(1));
		assertThat(elapsed()).isEqualTo(Duration.ofSeconds(65));
	}

	@Test
	void clocksOfDifferentSpeedAreNoSuspension() {
		for (int i = 0; i < 100; i++) {
			pass(Duration.ofSeconds(1), Duration.ofMillis(1500));
			elapsed();
		}
		assertThat(elapsed()).isEqualTo(Duration.ofSeconds(100));
	}

	private void pass(Duration nanoTime, Duration wallTime) {
		this.nanos.addAndGet(nanoTime.toNanos());
		this.wall.addAndGet(wallTime.toMillis());
	}

	private Duration elapsed() {
		return Duration.ofNanos(this.clock.nanos() - this.begin);
	}

}

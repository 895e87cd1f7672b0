package io.rowqueue.engine.slot;

import java.time.Duration;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class PrefetchTests {

	private static final int SLOTS = 4;

	private final Prefetch prefetch = new Prefetch(250);

	@Test
	void aPoolThatHasRunNoJobHoldsNoneAhead() {
		assertThat(this.prefetch.jobs(SLOTS)).isZero();
	}

	@Test
	void aPoolHoldsAsManyJobsAheadAsItsSlotsRunInATenthOfASecond() {
		learn("test", Duration.ofMillis(10));
		assertThat(this.prefetch.jobs(SLOTS)).isEqualTo(10 * SLOTS);
	}

	@Test
	void aPoolHoldsNoMoreJobsAheadThanTheMaximum() {
		learn("test", Duration.ofMillis(1));
		assertThat(this.prefetch.jobs(SLOTS)).isEqualTo(250);
	}

	@Test
	void aPoolOfSlowJobsHoldsNoneAhead() {
		learn("test", Prefetch.AHEAD.plusNanos(1));
		assertThat(this.prefetch.jobs(SLOTS)).isZero();
	}

	@Test
	void noJobWaitsBehindASlotThatIsHeldForLong() {
		learn("test", Duration.ofMillis(10));
		this.prefetch.occupied(SLOTS - 1);
		assertThat(this.prefetch.jobs(SLOTS)).isEqualTo(10);
		this.prefetch.occupied(SLOTS + 1);
		assertThat(this.prefetch.jobs(SLOTS)).as("slots that were taken away still run jobs").isZero();
	}

	@Test
	void jobsThatHaveWaitedForLongStopThePrefetch() {
		learn("test", Duration.ofMillis(10));
		this.prefetch.waited(Duration.ofSeconds(2));
		assertThat(this.prefetch.jobs(SLOTS)).isZero();
	}

	@Test
	void onlyJobsOfTypesThatAreKnownToBeFastMayWait() {
		learn("fast", Duration.ofMillis(10));
		learn("slow", Duration.ofSeconds(1));
		assertThat(this.prefetch.excludes("fast")).isFalse();
		assertThat(this.prefetch.excludes("slow")).isTrue();
		assertThat(this.prefetch.excludes("new")).isTrue();
	}

	private void learn(String type, Duration time) {
		this.prefetch.learn(type, time.toNanos());
	}

}

package io.rowqueue.engine.slot;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class RunTimesTests {

	private final Prefetch.RunTimes times = new Prefetch.RunTimes();

	@Test
	void runTimesKnowNothingBeforeTheFirstJob() {
		assertThat(this.times.jobsIn(1_000_000, 10)).isZero();
	}

	@Test
	void runTimesEstimateTheNumberOfJobsInATime() {
		this.times.add(1000);
		assertThat(this.times.jobsIn(10_000, 1)).isEqualTo(10);
		assertThat(this.times.jobsIn(10_000, 3)).isEqualTo(30);
		assertThat(this.times.jobsIn(999, 3)).isZero();
	}

	@Test
	void runTimesFollowAChangeSlowly() {
		this.times.add(1000);
		this.times.add(17_000);
		assertThat(this.times.jobsIn(2000, 1)).isEqualTo(1);
		for (int i = 0; i < 200; i++) {
			this.times.add(17_000);
		}
		assertThat(this.times.jobsIn(160_000, 1)).isEqualTo(9);
		for (int i = 0; i < 300; i++) {
			this.times.add(100);
		}
		assertThat(this.times.jobsIn(16_000, 1)).isGreaterThan(100);
	}

	@Test
	void runTimesAreRaisedUntilShorterJobsHaveEnded() {
		this.times.add(1000);
		this.times.raise(20_000);
		assertThat(this.times.jobsIn(1000, 4)).isZero();
		this.times.raise(10_000);
		assertThat(this.times.jobsIn(20_000, 1)).as("they are not lowered").isEqualTo(1);
		for (int i = 0; i < 100; i++) {
			this.times.add(100);
		}
		assertThat(this.times.jobsIn(1000, 4)).isPositive();
	}

	@Test
	void runTimesSurviveJobsThatTakeNoTime() {
		this.times.add(0);
		this.times.add(-5);
		assertThat(this.times.jobsIn(100, 2)).isEqualTo(200);
	}

}

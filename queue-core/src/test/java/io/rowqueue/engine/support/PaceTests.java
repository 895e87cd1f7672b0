package io.rowqueue.engine.support;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class PaceTests {

	private static final Duration INTERVAL = Duration.ofSeconds(10);

	/** The clock of the JVM may overflow. */
	private final AtomicLong clock = new AtomicLong(Long.MAX_VALUE - 5);

	private final Pace pace = new Pace(INTERVAL, this.clock::get);

	@Test
	void aPaceIsDueOnceInEachInterval() {
		assertThat(this.pace.nextIfDue()).isFalse();
		pass(INTERVAL.minusNanos(1));
		assertThat(this.pace.nextIfDue()).isFalse();
		pass(Duration.ofNanos(1));
		assertThat(this.pace.nextIfDue()).isTrue();
		assertThat(this.pace.nextIfDue()).isFalse();
		pass(INTERVAL);
		assertThat(this.pace.nextIfDue()).isTrue();
	}

	@Test
	void aPaceIsDueUntilTheNextIntervalBegins() {
		pass(INTERVAL);
		assertThat(this.pace.isDue()).isTrue();
		assertThat(this.pace.isDue()).isTrue();
		this.pace.next();
		assertThat(this.pace.isDue()).isFalse();
	}

	@Test
	void aPaceDoesNotMakeUpForMissedTimes() {
		pass(INTERVAL.multipliedBy(10));
		assertThat(this.pace.nextIfDue()).isTrue();
		assertThat(this.pace.nextIfDue()).isFalse();
	}

	@Test
	void aPaceKnowsTheTimeThatRemains() {
		pass(Duration.ofSeconds(4));
		assertThat(this.pace.remaining()).isEqualTo(Duration.ofSeconds(6));
		pass(Duration.ofSeconds(40));
		assertThat(this.pace.remaining()).isZero();
	}

	@Test
	void aPaceCanBeDueFromTheBeginning() {
		assertThat(Pace.dueNow(INTERVAL, this.clock::get).isDue()).isTrue();
		assertThat(Pace.dueNow(INTERVAL).isDue()).isTrue();
		this.pace.hurry();
		assertThat(this.pace.isDue()).isTrue();
	}

	@Test
	void aPauseReplacesTheIntervalOnce() {
		this.pace.next(Duration.ofMinutes(7));
		assertThat(this.pace.remaining()).isEqualTo(Duration.ofMinutes(7));
		this.pace.next();
		assertThat(this.pace.remaining()).isEqualTo(INTERVAL);
		this.pace.next(Duration.ofNanos(Long.MAX_VALUE));
		pass(Duration.ofDays(365));
		assertThat(this.pace.isDue()).isFalse();
	}

	@Test
	void aPaceRestsTwentyTimesAsLongAsItTookAndNotLessThanTheInterval() {
		this.pace.rest(Duration.ofMillis(500));
		assertThat(this.pace.remaining()).isEqualTo(INTERVAL);
		this.pace.rest(Duration.ofMillis(501));
		assertThat(this.pace.remaining()).isEqualTo(Duration.ofMillis(10_020));
		assertThat(Pace.restAfter(Duration.ofMillis(3))).isEqualTo(Duration.ofMillis(60));
		assertThat(Pace.restAfter(Duration.ZERO)).isZero();
	}

	@RepeatedTest(20)
	void aPaceWaitsLongerAfterEachFailureUpToFiveSeconds() {
		for (long max : new long[] { 100, 200, 400, 800, 1600, 3200, 5000, 5000, 5000 }) {
			this.pace.failed();
			assertThat(this.pace.remaining()).isBetween(Duration.ofMillis(max / 2), Duration.ofMillis(max));
		}
	}

	@RepeatedTest(20)
	void aPaceBeginsWithShortPausesAgainAfterASuccess() {
		for (int i = 0; i < 10; i++) {
			this.pace.failed();
		}
		this.pace.next();
		this.pace.failed();
		assertThat(this.pace.remaining()).isLessThanOrEqualTo(Duration.ofMillis(100));
	}

	private void pass(Duration time) {
		this.clock.addAndGet(time.toNanos());
	}

}

package io.rowqueue;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;

import org.springframework.util.Assert;

/** The policies that {@link RetryPolicy} creates. */
final class RetryPolicies {

	private RetryPolicies() {
	}

	private static void check(String name, Duration first, Duration max, double jitter) {
		Assert.isTrue(!first.isNegative(), () -> name + " must not be negative: " + first);
		Assert.isTrue(max.compareTo(first) >= 0,
				() -> "max (" + max + ") must not be shorter than " + name + " (" + first + ")");
		Assert.isTrue(jitter >= 0 && jitter <= 1, () -> "jitter must be from 0 to 1, not " + jitter);
	}

	private static Duration delay(double millis, Duration max, double jitter) {
		double kept = 1 - jitter * ThreadLocalRandom.current().nextDouble();
		return Duration.ofMillis(Math.round(Math.min(millis, (double) max.toMillis()) * kept));
	}

	/** The delay grows by a factor with each failure. */
	record ExponentialBackoff(Duration initial, double multiplier, Duration max, double jitter) implements RetryPolicy {

		ExponentialBackoff {
			check("initial", initial, max, jitter);
			Assert.isTrue(multiplier >= 1, () -> "multiplier must be at least 1, not " + multiplier);
		}

		@Override
		public Duration delayAfter(JobContext job, Throwable error) {
			return delay(this.initial.toMillis() * Math.pow(this.multiplier, job.attempt() - 1.0), this.max,
					this.jitter);
		}

	}

	/** The delay grows by the same time with each failure. */
	record LinearBackoff(Duration step, Duration max, double jitter) implements RetryPolicy {

		LinearBackoff {
			check("step", step, max, jitter);
		}

		@Override
		public Duration delayAfter(JobContext job, Throwable error) {
			return delay((double) this.step.toMillis() * job.attempt(), this.max, this.jitter);
		}

	}

	/** A list of delays, the last of which is repeated. */
	record GivenDelays(List<Duration> delays) implements RetryPolicy {

		GivenDelays {
			Assert.isTrue(!delays.isEmpty(), "there must be at least one delay");
			delays.forEach((delay) -> Assert.isTrue(!delay.isNegative(), () -> "delay must not be negative: " + delay));
			delays = List.copyOf(delays);
		}

		@Override
		public Duration delayAfter(JobContext job, Throwable error) {
			return this.delays.get(Math.min(job.attempt(), this.delays.size()) - 1);
		}

	}

}

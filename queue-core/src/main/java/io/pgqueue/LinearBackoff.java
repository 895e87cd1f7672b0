package io.pgqueue;

import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;

import org.springframework.util.Assert;

/** The {@link RetryPolicy} whose delay grows by the same time with each failure. */
record LinearBackoff(Duration step, Duration max, double jitter) implements RetryPolicy {

	LinearBackoff {
		Assert.isTrue(!step.isNegative(), () -> "step must not be negative: " + step);
		Assert.isTrue(max.compareTo(step) >= 0, () -> "max (" + max + ") must not be shorter than step (" + step + ")");
		Assert.isTrue(jitter >= 0 && jitter <= 1, () -> "jitter must be from 0 to 1, not " + jitter);
	}

	@Override
	public Duration delayAfter(JobContext job, Throwable error) {
		double millis = Math.min((double) this.step.toMillis() * job.attempt(), (double) this.max.toMillis());
		double kept = 1 - this.jitter * ThreadLocalRandom.current().nextDouble();
		return Duration.ofMillis(Math.round(millis * kept));
	}

}

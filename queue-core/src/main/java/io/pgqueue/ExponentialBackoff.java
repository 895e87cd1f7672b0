package io.pgqueue;

import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;

import org.jspecify.annotations.Nullable;
import org.springframework.util.Assert;

/** The {@link RetryPolicy} whose delay grows by a factor with each failure. */
record ExponentialBackoff(Duration initial, double multiplier, Duration max, double jitter) implements RetryPolicy {

	ExponentialBackoff {
		Assert.isTrue(!initial.isNegative(), () -> "initial must not be negative: " + initial);
		Assert.isTrue(multiplier >= 1, () -> "multiplier must be at least 1, not " + multiplier);
		Assert.isTrue(max.compareTo(initial) >= 0,
				() -> "max (" + max + ") must not be shorter than initial (" + initial + ")");
		Assert.isTrue(jitter >= 0 && jitter <= 1, () -> "jitter must be from 0 to 1, not " + jitter);
	}

	@Override
	public @Nullable Duration delayAfter(JobContext job, Throwable error) {
		if (error instanceof PayloadConversionException) {
			return null;
		}
		double millis = Math.min(this.initial.toMillis() * Math.pow(this.multiplier, job.attempt() - 1.0),
				(double) this.max.toMillis());
		double kept = 1 - this.jitter * ThreadLocalRandom.current().nextDouble();
		return Duration.ofMillis(Math.round(millis * kept));
	}

}

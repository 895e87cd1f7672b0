package io.pgqueue;

import java.time.Duration;
import java.util.List;

import org.springframework.util.Assert;

/** The {@link RetryPolicy} with a list of delays, the last of which is repeated. */
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

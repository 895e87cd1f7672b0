package io.rowqueue.engine.recovery;

import java.time.Duration;

import org.springframework.util.Assert;

/**
 * What becomes of a job that was seen to run when its process died.
 *
 * @param maxAttempts the maximum number of its attempts if neither the job nor its dead
 * worker defines it
 * @param maxDeaths the maximum number of processes that die while they run it
 * @param pause how long it waits after the first death
 * @param multiplier the factor by which the pause grows with each further one
 * @param maxPause the longest pause
 */
public record RecoveryRules(int maxAttempts, int maxDeaths, Duration pause, double multiplier, Duration maxPause) {

	public RecoveryRules {
		Assert.isTrue(maxDeaths >= 1, () -> "maxDeaths must be at least 1: " + maxDeaths);
	}

	/** Only attempts limit how often it runs, and it runs again at once. */
	public static RecoveryRules attempts(int maxAttempts) {
		return new RecoveryRules(maxAttempts, Integer.MAX_VALUE, Duration.ZERO, 1, Duration.ZERO);
	}

	/** How many times the first pause the longest one is. */
	double maxFactor() {
		return this.pause.isZero() ? 1 : (double) this.maxPause.toMillis() / this.pause.toMillis();
	}

}

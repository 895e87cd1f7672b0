package io.pgqueue.engine.support;

import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;

/**
 * How long to wait before something is tried again: from a tenth of a second to five
 * seconds, each time a random part of it, so that the workers of a cluster do not come
 * back to a restarted server all at once.
 */
public final class Backoff {

	private static final long FIRST_MILLIS = 100;

	private static final long MOST_MILLIS = 5000;

	private long millis = FIRST_MILLIS;

	/** The pause after one more failure. */
	public Duration next() {
		long wait = ThreadLocalRandom.current().nextLong(this.millis / 2, this.millis + 1);
		this.millis = Math.min(MOST_MILLIS, this.millis * 2);
		return Duration.ofMillis(wait);
	}

	/** The next failure is a first one again; returns the pause after a success. */
	Duration reset(Duration pause) {
		this.millis = FIRST_MILLIS;
		return pause;
	}

}

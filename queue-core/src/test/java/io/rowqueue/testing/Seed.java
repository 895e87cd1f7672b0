package io.rowqueue.testing;

import java.util.Random;
import java.util.concurrent.ThreadLocalRandom;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The seed of a randomized test: another one in each run, unless
 * {@code -Drowqueue.test.seed} says which. What threads do to each other is left to
 * chance even so.
 */
public final class Seed {

	private static final Logger logger = LoggerFactory.getLogger(Seed.class);

	private Seed() {
	}

	/** A seed for a test, which is logged. */
	public static long of(Object test) {
		long seed = Long.getLong("rowqueue.test.seed", ThreadLocalRandom.current().nextLong());
		logger.info("{} runs with -Drowqueue.test.seed={}", test.getClass().getSimpleName(), seed);
		return seed;
	}

	/** One of the values. */
	@SafeVarargs
	public static <T> T any(Random random, T... values) {
		return values[random.nextInt(values.length)];
	}

}

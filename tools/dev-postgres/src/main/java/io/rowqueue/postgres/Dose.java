package io.rowqueue.postgres;

/**
 * How much a test does that repeats, floods or randomizes: a small dose in each build,
 * the full one with {@code -Pthorough}.
 */
public final class Dose {

	private static final boolean FULL = "full".equals(System.getProperty("rowqueue.test.dose"));

	private Dose() {
	}

	public static int of(int small, int full) {
		return FULL ? full : small;
	}

}

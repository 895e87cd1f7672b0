package io.rowqueue.engine.support;

/**
 * Fairness keys. They are stored as limit keys of a class of their own, so that their
 * jobs take the same way from the enqueue to the lane; beside a limit key, as a header.
 */
public final class FairnessKey {

	/** The class of their limit keys, with its separator. */
	public static final String PREFIX = "fair:";

	private FairnessKey() {
	}

	/** Returns whether a limit key is a fairness key. */
	public static boolean is(String limitKey) {
		return limitKey.startsWith(PREFIX);
	}

	/** Returns the fairness key that is stored as the limit key. */
	public static String text(String limitKey) {
		return limitKey.substring(PREFIX.length());
	}

}

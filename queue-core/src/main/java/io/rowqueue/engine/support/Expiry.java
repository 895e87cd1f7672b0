package io.rowqueue.engine.support;

import org.jspecify.annotations.Nullable;

/** How a job shows that it was cancelled because it had expired. */
public final class Expiry {

	/** Stored as the error of such a job; the function {@code expire} has it, too. */
	public static final String REASON = "The job expired before it began";

	private Expiry() {
	}

	/** Returns whether the error of a cancelled job says that it had expired. */
	public static boolean isReason(@Nullable String error) {
		return REASON.equals(error);
	}

}

package io.rowqueue.autoconfigure.endpoint;

import io.rowqueue.engine.support.Times;
import io.rowqueue.schedule.BackfillRange;
import org.jspecify.annotations.Nullable;

/**
 * The due times of a backfill, as they are written in a request.
 *
 * @param from the earliest due time, such as {@code 2026-12-01T00:00:00Z}
 * @param until the end: all due times are before
 * @param again whether due times whose jobs have finished are included
 */
record BackfillRequest(@Nullable String from, @Nullable String until, @Nullable Boolean again) {

	boolean isGiven() {
		return this.from != null || this.until != null || this.again != null;
	}

	/** Returns the range, which is required. */
	BackfillRange range() {
		try {
			return new BackfillRange(Times.parse("from", this.from), Times.parse("until", this.until),
					Boolean.TRUE.equals(this.again));
		}
		catch (IllegalArgumentException ex) {
			throw InvalidRequest.because(String.valueOf(ex.getMessage()), ex);
		}
	}

}

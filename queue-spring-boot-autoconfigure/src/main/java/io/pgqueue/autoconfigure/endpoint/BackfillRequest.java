package io.pgqueue.autoconfigure.endpoint;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Map;

import io.pgqueue.schedule.BackfillRange;
import org.jspecify.annotations.Nullable;

/**
 * The due times of a backfill, as they are written in a request.
 *
 * @param from the earliest due time, such as {@code 2026-12-01T00:00:00Z}
 * @param until the end: all due times are before
 * @param again whether due times whose jobs have finished are included
 */
public record BackfillRequest(@Nullable String from, @Nullable String until, @Nullable Boolean again) {

	static final BackfillRequest NONE = new BackfillRequest(null, null, null);

	boolean isGiven() {
		return this.from != null || this.until != null || this.again != null;
	}

	/** Returns the range, which is required. */
	public BackfillRange range() {
		try {
			return new BackfillRange(time("from", this.from), time("until", this.until),
					Boolean.TRUE.equals(this.again));
		}
		catch (IllegalArgumentException ex) {
			throw InvalidRequest.because(String.valueOf(ex.getMessage()), ex);
		}
	}

	private static Instant time(String name, @Nullable String text) {
		try {
			return OffsetDateTime.parse((text != null) ? text : "").toInstant();
		}
		catch (DateTimeException ex) {
			throw new IllegalArgumentException(name + " must be a time such as 2026-12-01T00:00:00Z", ex);
		}
	}

	void addTo(Map<String, String> parameters) {
		if (isGiven()) {
			parameters.put("from", String.valueOf(this.from));
			parameters.put("until", String.valueOf(this.until));
			parameters.put("again", String.valueOf(Boolean.TRUE.equals(this.again)));
		}
	}

}

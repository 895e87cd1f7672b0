package io.rowqueue.dashboard.api.schedule;

import java.time.Instant;

import io.rowqueue.dashboard.api.Reads;
import io.rowqueue.dashboard.http.Parameters;
import io.rowqueue.dashboard.http.Problem;
import io.rowqueue.engine.support.Times;
import org.jspecify.annotations.Nullable;

/** Reads parameters that are times. */
final class TimeParameters {

	private TimeParameters() {
	}

	/** Returns the time; {@code null}: the parameter was not given. */
	static @Nullable Instant optional(Parameters parameters, String name) {
		return (parameters.one(name) != null) ? required(parameters, name) : null;
	}

	static Instant required(Parameters parameters, String name) {
		try {
			return Times.parse("the value", parameters.one(name));
		}
		catch (IllegalArgumentException ex) {
			throw Problem.invalid(name, String.valueOf(ex.getMessage()));
		}
	}

}

package io.pgqueue.engine.support;

import java.time.Duration;
import java.util.Locale;

/** Durations: compared, and as people read them in a log. */
public final class Times {

	private Times() {
	}

	/** The shorter one of two. */
	public static Duration shorter(Duration one, Duration other) {
		return (one.compareTo(other) < 0) ? one : other;
	}

	/** The longer one of two. */
	public static Duration longer(Duration one, Duration other) {
		return (one.compareTo(other) > 0) ? one : other;
	}

	/** Seconds, minutes or hours, whichever says it. */
	public static String readable(Duration duration) {
		if (duration.compareTo(Duration.ofMinutes(2)) < 0) {
			return String.format(Locale.ROOT, "%.1f s", duration.toMillis() / 1000.0);
		}
		if (duration.compareTo(Duration.ofHours(2)) < 0) {
			return duration.toMinutes() + " min";
		}
		return duration.toHours() + " h";
	}

}

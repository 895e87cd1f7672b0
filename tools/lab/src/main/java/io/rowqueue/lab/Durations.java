package io.rowqueue.lab;

import java.time.Duration;

/** Times on the command line. */
public final class Durations {

	private Durations() {
	}

	/**
	 * Reads {@code 90}, {@code 90s}, {@code 5m} or {@code 1h}; a number alone counts
	 * seconds.
	 * @param text a number and a unit
	 * @return the duration
	 */
	public static Duration parse(String text) {
		String number = text.replaceAll("[smh]$", "");
		long value = Long.parseLong(number);
		return switch (text.substring(number.length())) {
			case "m" -> Duration.ofMinutes(value);
			case "h" -> Duration.ofHours(value);
			default -> Duration.ofSeconds(value);
		};
	}

}

package io.rowqueue.engine.figures;

import java.time.Duration;

/** A time that charts show, and how long each of their points is. */
public enum FigureRange {

	/** The last hour, by minute. */
	HOUR(Duration.ofHours(1), Duration.ofMinutes(1)),

	/** The last six hours. */
	SIX_HOURS(Duration.ofHours(6), Duration.ofMinutes(5)),

	/** The last day. */
	DAY(Duration.ofHours(24), Duration.ofMinutes(15)),

	/** The last week, by hour. */
	WEEK(Duration.ofDays(7), Duration.ofHours(1)),

	/** The last 90 days. */
	QUARTER(Duration.ofDays(90), Duration.ofHours(12));

	private final Duration length;

	private final Duration step;

	FigureRange(Duration length, Duration step) {
		this.length = length;
		this.step = step;
	}

	/** Returns how long it is. */
	public Duration length() {
		return this.length;
	}

	/** Returns how long each point is. */
	public Duration step() {
		return this.step;
	}

	/** Returns whether hours are read, and minutes only of the latest hours. */
	public boolean byHour() {
		return this.step.compareTo(Duration.ofHours(1)) >= 0;
	}

}

package io.rowqueue.dashboard.api;

import java.util.Locale;

/**
 * A number of jobs.
 *
 * @param value how many
 * @param kind {@value #EXACT}, {@value #ESTIMATE} or {@value #AT_LEAST}
 */
public record Count(long value, String kind) {

	/** All of them were counted. */
	public static final String EXACT = "exact";

	/** It follows from statistics. */
	public static final String ESTIMATE = "estimate";

	/** Counting stopped there. */
	public static final String AT_LEAST = "atLeast";

	/** All of them were counted. */
	public static Count exact(long value) {
		return new Count(value, EXACT);
	}

	/** It follows from statistics. */
	public static Count estimate(long value) {
		return new Count(value, ESTIMATE);
	}

	/** Counting stopped there. */
	public static Count atLeast(long value) {
		return new Count(value, AT_LEAST);
	}

	/** The sum of an estimate and any other number is an estimate. */
	public Count plus(Count other) {
		String sum = this.kind.equals(EXACT) ? other.kind : (other.kind.equals(ESTIMATE) ? ESTIMATE : this.kind);
		return new Count(this.value + other.value, sum);
	}

	/** The number as a sentence has it. */
	public String text() {
		String number = String.format(Locale.ROOT, "%,d", this.value);
		return this.kind.equals(ESTIMATE) ? "about " + number
				: this.kind.equals(AT_LEAST) ? number + " or more" : number;
	}

}

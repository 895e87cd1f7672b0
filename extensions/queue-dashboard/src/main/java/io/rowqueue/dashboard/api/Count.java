package io.rowqueue.dashboard.api;

/**
 * A number of jobs.
 *
 * @param value how many
 * @param kind {@code exact}, {@code estimate} or {@code atLeast}
 */
public record Count(long value, String kind) {

	/** All of them were counted. */
	public static Count exact(long value) {
		return new Count(value, "exact");
	}

	/** It follows from statistics. */
	public static Count estimate(long value) {
		return new Count(value, "estimate");
	}

	/** Counting stopped there. */
	public static Count atLeast(long value) {
		return new Count(value, "atLeast");
	}

	/** The sum is as exact as the least exact of both. */
	public Count plus(Count other) {
		String least = this.kind.equals("exact") ? other.kind : this.kind;
		return new Count(this.value + other.value, least);
	}

}

package io.rowqueue.engine.figures;

import java.util.Arrays;

/**
 * A distribution of times in buckets: bucket {@code i} counts the times up to
 * 2<sup>i/2</sup> milliseconds that no smaller bucket counts. A percentile is in the same
 * bucket as the exact one, and so less than 42 % away from it. Immutable.
 */
public final class Histogram {

	/** Nothing was counted. */
	static final Histogram EMPTY = new Histogram(new long[0]);

	/** The last bucket counts everything beyond 24 days. */
	static final int BUCKETS = 63;

	private final long[] counts;

	private Histogram(long[] counts) {
		this.counts = counts;
	}

	/** Creates a histogram from its counts. */
	static Histogram of(long... counts) {
		int length = counts.length;
		while (length > 0 && counts[length - 1] == 0) {
			length--;
		}
		return (length == 0) ? EMPTY : new Histogram(Arrays.copyOf(counts, length));
	}

	/** Returns the bucket of a time. */
	static int bucket(long millis) {
		if (millis <= 1) {
			return 0;
		}
		int power = 63 - Long.numberOfLeadingZeros(millis - 1);
		boolean upperHalf = power >= 31 || (double) millis > Math.scalb(Math.sqrt(2), power);
		return Math.min(BUCKETS - 1, 2 * power + (upperHalf ? 2 : 1));
	}

	/** Returns the longest time of a bucket in milliseconds. */
	static double longest(int bucket) {
		return Math.pow(2, bucket / 2.0);
	}

	private static double shortest(int bucket) {
		return (bucket == 0) ? 0 : longest(bucket - 1);
	}

	boolean isEmpty() {
		return this.counts.length == 0;
	}

	/**
	 * Returns a percentile in milliseconds, or -1 if nothing was counted. Within a bucket
	 * times are taken as evenly distributed.
	 * @param share such as 0.95
	 */
	public double percentile(double share) {
		double rank = share * Arrays.stream(this.counts).sum();
		long below = 0;
		for (int bucket = 0; bucket < this.counts.length; bucket++) {
			long count = this.counts[bucket];
			if (count > 0 && below + count >= rank) {
				return shortest(bucket) + (longest(bucket) - shortest(bucket)) * (rank - below) / count;
			}
			below += count;
		}
		return -1;
	}

	/** Returns the sums of both. */
	Histogram plus(Histogram other) {
		long[] sum = Arrays.copyOf(this.counts, Math.max(this.counts.length, other.counts.length));
		for (int bucket = 0; bucket < other.counts.length; bucket++) {
			sum[bucket] += other.counts[bucket];
		}
		return of(sum);
	}

	/** Returns the counts as PostgreSQL writes an array. */
	@Override
	public String toString() {
		StringBuilder text = new StringBuilder("{");
		for (int bucket = 0; bucket < this.counts.length; bucket++) {
			text.append((bucket > 0) ? "," : "").append(this.counts[bucket]);
		}
		return text.append('}').toString();
	}

}

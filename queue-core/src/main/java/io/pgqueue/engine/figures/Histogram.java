package io.pgqueue.engine.figures;

import java.util.Arrays;

/**
 * A distribution of times in buckets: bucket {@code i} counts the times up to
 * 2<sup>i/2</sup> milliseconds that no smaller bucket counts. A percentile is in the same
 * bucket as the exact one, and so less than 42 % away from it.
 */
public final class Histogram {

	/** The last bucket counts everything beyond 24 days. */
	static final int BUCKETS = 63;

	private Histogram() {
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

	/**
	 * Returns a percentile in milliseconds, or -1 if nothing was counted. Within a bucket
	 * times are taken as evenly distributed.
	 * @param counts the counts, by bucket
	 * @param share such as 0.95
	 */
	public static double percentile(long[] counts, double share) {
		long total = Arrays.stream(counts).sum();
		if (total == 0) {
			return -1;
		}
		double rank = share * total;
		long below = 0;
		for (int bucket = 0; bucket < counts.length; bucket++) {
			if (counts[bucket] > 0 && below + counts[bucket] >= rank) {
				double shortest = (bucket == 0) ? 0 : longest(bucket - 1);
				return shortest + (longest(bucket) - shortest) * (rank - below) / counts[bucket];
			}
			below += counts[bucket];
		}
		return longest(counts.length - 1);
	}

	/** Returns the approximate mean in milliseconds, or -1 if nothing was counted. */
	public static double mean(long[] counts) {
		long total = 0;
		double sum = 0;
		for (int bucket = 0; bucket < counts.length; bucket++) {
			double shortest = (bucket == 0) ? 0 : longest(bucket - 1);
			total += counts[bucket];
			sum += counts[bucket] * (shortest + longest(bucket)) / 2;
		}
		return (total == 0) ? -1 : sum / total;
	}

	/** Returns the sums of two histograms, without zeros at the end. */
	static long[] plus(long[] one, long[] other) {
		long[] sum = Arrays.copyOf(one, Math.max(one.length, other.length));
		for (int bucket = 0; bucket < other.length; bucket++) {
			sum[bucket] += other[bucket];
		}
		return trimmed(sum);
	}

	static long[] trimmed(long[] counts) {
		int length = counts.length;
		while (length > 0 && counts[length - 1] == 0) {
			length--;
		}
		return (length == counts.length) ? counts : Arrays.copyOf(counts, length);
	}

}

package io.rowqueue.engine.figures;

import java.util.Arrays;
import java.util.Random;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/** Times in buckets. */
class HistogramTests {

	@ParameterizedTest
	@ValueSource(longs = { 0, 1, 2, 3, 4, 5, 6, 7, 8, 99, 1000, 59_999, 60_000, 3_600_000, 86_400_000 })
	void aTimeIsInTheFirstBucketThatIsLongEnough(long millis) {
		int bucket = Histogram.bucket(millis);
		assertThat(Histogram.longest(bucket)).isGreaterThanOrEqualTo(millis);
		assertThat((bucket < 2) ? -1 : Histogram.longest(bucket - 1)).isLessThan(millis);
	}

	@ParameterizedTest
	@ValueSource(longs = { -5, Long.MIN_VALUE, Long.MAX_VALUE, 1L << 40 })
	void anImpossibleTimeIsInTheFirstOrLastBucket(long millis) {
		assertThat(Histogram.bucket(millis)).isEqualTo((millis < 0) ? 0 : Histogram.BUCKETS - 1);
	}

	@Test
	void aPercentileIsInTheBucketOfTheExactOne() {
		long[] counts = new long[Histogram.BUCKETS];
		Random random = new Random(7);
		long[] times = random.longs(10_000, 0, 100_000).sorted().toArray();
		Arrays.stream(times).forEach((time) -> counts[Histogram.bucket(time)]++);
		for (double share : new double[] { 0.01, 0.5, 0.95, 0.999 }) {
			long exact = times[(int) (share * times.length)];
			assertThat(Histogram.of(counts).percentile(share)).isBetween(exact / 1.42, exact * 1.42);
		}
	}

	@Test
	void nothingHasNoPercentile() {
		assertThat(Histogram.EMPTY.percentile(0.5)).isNegative();
		assertThat(Histogram.of(0, 0, 0).percentile(0.5)).isNegative();
	}

	@Test
	void sumsHaveNoZerosAtTheEnd() {
		assertThat(Histogram.of(1, 0, 2).plus(Histogram.of(1, 1, 0, 0))).hasToString("{2,1,2}");
	}

}

package io.rowqueue.engine.shard;

import java.util.stream.IntStream;

import io.rowqueue.JobRequest;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** Which bucket a key is in. */
class BucketsTests {

	/** select ('x' || left(md5('customer:42'), 3))::bit(12)::int. */
	@Test
	void theDatabaseComputesTheSameNumber() {
		assertThat(Buckets.of("customer:42")).isEqualTo(0x735);
	}

	@Test
	void thereAre4096() {
		assertThat(IntStream.range(0, 60_000).map((i) -> Buckets.of("key" + i)).distinct()).hasSize(4096)
			.allMatch((bucket) -> bucket >= 0 && bucket < 4096);
	}

	@Test
	void theLimitKeyDecidesBeforeTheUniqueKey() {
		JobRequest request = JobRequest.of("invoice", 7).uniqueKey("invoice:7");
		assertThat(Buckets.key(request)).isEqualTo("invoice:7");
		assertThat(Buckets.key(request.limitKey("customer:42"))).isEqualTo("customer:42");
		assertThat(Buckets.key(JobRequest.of("invoice", 7))).isNull();
	}

}

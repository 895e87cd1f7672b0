package io.rowqueue.engine.claim;

import java.util.List;
import java.util.stream.IntStream;

import io.rowqueue.HandlerOptions;
import io.rowqueue.engine.attempt.ActiveJob;
import io.rowqueue.engine.lease.ClaimStore.Claimed;
import io.rowqueue.engine.lease.ClaimedJob;
import io.rowqueue.engine.lease.Lease;
import io.rowqueue.engine.attempt.TestJobs;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** A claim has ended when the outcomes of all its jobs are in the database. */
class HeldClaimsTests {

	private final HeldClaims claims = new HeldClaims();

	@Test
	void aClaimEndsWithItsLastJob() {
		List<ActiveJob> jobs = claim(7, 2);
		assertThat(this.claims.takeEnded()).isEmpty();
		this.claims.ended(jobs.get(1));
		assertThat(this.claims.takeEnded()).isEmpty();
		this.claims.ended(jobs.get(0));
		assertThat(this.claims.takeEnded()).containsExactly(7L);
		assertThat(this.claims.takeEnded()).as("reported once").isEmpty();
	}

	@Test
	void aJobWhoseEndIsToldTwiceCountsOnce() {
		List<ActiveJob> jobs = claim(7, 2);
		this.claims.ended(jobs.get(0));
		this.claims.ended(jobs.get(0));
		assertThat(this.claims.takeEnded()).isEmpty();
	}

	@Test
	void claimsDoNotCountForEachOther() {
		List<ActiveJob> first = claim(1, 2);
		List<ActiveJob> second = claim(2, 1);
		this.claims.ended(first.get(0));
		this.claims.ended(second.get(0));
		assertThat(this.claims.takeEnded()).containsExactly(2L);
	}

	@Test
	void aJobOfAnUnknownClaimIsNone() {
		this.claims.add(new Claimed(List.of(), false, 0));
		this.claims.ended(TestJobs.job(1));
		assertThat(this.claims.takeEnded()).isEmpty();
	}

	private List<ActiveJob> claim(long id, int size) {
		List<ClaimedJob> jobs = IntStream.range(0, size)
			.mapToObj((i) -> new ClaimedJob(new Lease(i, 1), "test", "default", 0, 1, null, 0, 0, 0, 0, false, null,
					false, null, null, id))
			.toList();
		this.claims.add(new Claimed(jobs, false, id));
		return jobs.stream().map((job) -> new ActiveJob(job, HandlerOptions.NONE.maxAttempts(3), 0)).toList();
	}

}

package io.rowqueue.engine.claim;

import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import io.rowqueue.engine.lease.Claim;
import io.rowqueue.engine.lease.Claim.PoolLane;
import io.rowqueue.engine.lease.ClaimStore.Claimed;
import io.rowqueue.engine.lease.Lane;
import io.rowqueue.engine.lease.LaneHead;
import io.rowqueue.engine.slot.Pool;
import io.rowqueue.engine.attempt.TestJobs;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class LatestClaimTests {

	private static final LaneHead LANE = new LaneHead(new Lane("default", "test", 0), LaneHead.NO_MARK);

	private static final Claim WHOLE = claim(Map.of("*", Pool.MAX_JOBS_PER_CLAIM), Integer.MAX_VALUE);

	private final LatestClaim latest = new LatestClaim();

	@Test
	void severalClaimsRunAtOnceOnlyWhileThereArePlentyOfJobs() {
		assertThat(this.latest.isWorthASession(WHOLE)).as("before the first").isFalse();
		was(WHOLE, Pool.MAX_JOBS_PER_CLAIM - 1);
		assertThat(this.latest.isWorthASession(WHOLE)).as("after one that was short").isFalse();
		was(WHOLE, Pool.MAX_JOBS_PER_CLAIM);
		assertThat(this.latest.isWorthASession(WHOLE)).as("after a whole one").isTrue();
	}

	@Test
	void noFurtherClaimBeginsAfterAShortOneUntilTheOthersHaveEnded() {
		assertThat(this.latest.wasShort()).as("before the first").isFalse();
		was(WHOLE, Pool.MAX_JOBS_PER_CLAIM - 1);
		assertThat(this.latest.wasShort()).isTrue();
		was(WHOLE, Pool.MAX_JOBS_PER_CLAIM);
		assertThat(this.latest.wasShort()).isFalse();
		was(WHOLE, 0);
		this.latest.failed();
		assertThat(this.latest.wasShort()).as("after a failure").isFalse();
	}

	@Test
	void aSweepThatFindsNoJobsCountsAsAShortClaim() {
		was(WHOLE, Pool.MAX_JOBS_PER_CLAIM);
		this.latest.foundNothing();
		assertThat(this.latest.wasShort()).isTrue();
		assertThat(this.latest.isWorthASession(WHOLE)).isFalse();
		assertThat(this.latest.next(WHOLE)).isEqualTo(WHOLE);
	}

	@Test
	void fewJobsAreNotWorthASession() {
		was(WHOLE, Pool.MAX_JOBS_PER_CLAIM);
		assertThat(this.latest.isWorthASession(claim(Map.of("*", Pool.MAX_JOBS_PER_CLAIM - 1), Integer.MAX_VALUE)))
			.isFalse();
	}

	@Test
	void whatALaneMayGiveIsCountedByOneStatement() {
		was(WHOLE, Pool.MAX_JOBS_PER_CLAIM);
		assertThat(this.latest.isWorthASession(claim(Map.of("*", Pool.MAX_JOBS_PER_CLAIM), 7))).isFalse();
	}

	@Test
	void severalPoolsAreServedByOneStatement() {
		was(WHOLE, Pool.MAX_JOBS_PER_CLAIM);
		assertThat(this.latest.isWorthASession(
				claim(Map.of("*", Pool.MAX_JOBS_PER_CLAIM, "own", Pool.MAX_JOBS_PER_CLAIM), Integer.MAX_VALUE)))
			.isFalse();
	}

	@Test
	void jobsThatAreLockedArePassedOverAfterAClaimThatWasFull() {
		Claim few = claim(Map.of("*", 20), Integer.MAX_VALUE);
		assertThat(this.latest.next(few)).as("at first").isEqualTo(few);
		was(few, 20);
		assertThat(this.latest.next(few)).as("after a full one").isEqualTo(few.ofUntouched());
		was(few, 19);
		assertThat(this.latest.next(few)).as("after one that was short").isEqualTo(few);
		was(few, 20);
		was(few, 0);
		assertThat(this.latest.next(few)).as("after nothing").isEqualTo(few);
	}

	@Test
	void everyJobIsLookedAtAfterASweep() {
		was(WHOLE, Pool.MAX_JOBS_PER_CLAIM);
		this.latest.swept();
		assertThat(this.latest.next(WHOLE)).isEqualTo(WHOLE);
		assertThat(this.latest.isWorthASession(WHOLE)).as("there is plenty all the same").isTrue();
	}

	@Test
	void everyJobIsLookedAtWhileThereAreSomeThatWereLockedAndLetGo() {
		this.latest.was(WHOLE, new Claimed(claimed(Pool.MAX_JOBS_PER_CLAIM).jobs(), true, 1));
		assertThat(this.latest.next(WHOLE)).isEqualTo(WHOLE);
	}

	@Test
	void everyJobIsLookedAtForAPoolThatWasNotFullJustNow() {
		Claim own = claim(Map.of("own", 20), Integer.MAX_VALUE);
		was(claim(Map.of("*", 20), Integer.MAX_VALUE), 20);
		assertThat(this.latest.next(claim(Map.of("*", 20, "own", 20), Integer.MAX_VALUE)).untouched()).isFalse();
		was(claim(Map.of("*", 20, "own", 20), Integer.MAX_VALUE), 40);
		assertThat(this.latest.next(own).untouched()).isTrue();
		was(claim(Map.of("own", 0), Integer.MAX_VALUE), 0);
		assertThat(this.latest.next(own).untouched()).isFalse();
	}

	@Test
	void nothingIsKnownAfterAFailure() {
		was(WHOLE, Pool.MAX_JOBS_PER_CLAIM);
		this.latest.failed();
		assertThat(this.latest.isWorthASession(WHOLE)).isFalse();
		assertThat(this.latest.next(WHOLE)).isEqualTo(WHOLE);
	}

	private void was(Claim claim, int jobs) {
		this.latest.was(claim, claimed(jobs));
	}

	private static Claim claim(Map<String, Integer> limits, int max) {
		return new Claim(1, limits, List.of(new PoolLane("*", LANE, max)));
	}

	private static Claimed claimed(int jobs) {
		return new Claimed(Stream.generate(() -> TestJobs.job(1).job()).limit(jobs).toList(), false, 1);
	}

}

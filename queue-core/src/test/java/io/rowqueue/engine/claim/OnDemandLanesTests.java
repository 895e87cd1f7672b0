package io.rowqueue.engine.claim;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;

import io.rowqueue.HandlerOptions;
import io.rowqueue.JobRequest;
import io.rowqueue.engine.attempt.ActiveJob;
import io.rowqueue.engine.attempt.TypeOptions;
import io.rowqueue.engine.handler.HandlerRegistry;
import io.rowqueue.engine.lease.ClaimedJob;
import io.rowqueue.engine.lease.Lease;
import io.rowqueue.limit.Limit;
import io.rowqueue.limit.LimitKind;
import io.rowqueue.testing.Engine;
import io.rowqueue.testing.Stores;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

class OnDemandLanesTests {

	@AutoClose
	private final ClaimingWorker worker = new ClaimingWorker(2, Runnable::run);

	private final Stores store = new Stores(this.worker.engine.jdbc());

	private final OnDemandLanes lanes = new OnDemandLanes(this.store.lanes(),
			new ClaimExecutor(this.store.claims(), this.worker.pools, this.worker.lanes,
					new TypeOptions(HandlerRegistry.builder(Engine.CODEC).build(), 3), this.worker.finisher),
			this.worker.id, this.worker.pools, this.worker.lanes, Map.of());

	@Test
	void noMoreJobsAreClaimedThanThereAreSlots() throws InterruptedException {
		ActiveJob other = new ActiveJob(new ClaimedJob(new Lease(-1, 1), "other", "default", 0, 1, null, 0, 0, 0, 0,
				false, null, false, null, null, 0), HandlerOptions.NONE.maxAttempts(1), 0);
		this.worker.pool.jobs().add(List.of(other));
		this.worker.pool.jobs().next();
		this.worker.engine.limits().set(LimitKind.TYPE, "test", Limit.concurrency(5), true);
		this.worker.engine.enqueue(JobRequest.of("test"));
		this.worker.engine.enqueue(JobRequest.of("test"));
		this.worker.claims.turn(ClaimingWorker.FOREVER);
		assertThat(this.worker.engine.leased()).as("for the slot that is idle").isEqualTo(1);
		assertThat(this.worker.pool.jobs().heldCount()).isEqualTo(2);
	}

	/** Between the question whether a token has come and the wait for it. */
	@Test
	void aTokenThatHasComeJustNowIsNotWaitedFor() {
		this.worker.engine.limits()
			.set(LimitKind.TYPE, "test", Limit.perPeriod(5, Duration.ofSeconds(1)).burst(1), true);
		this.worker.engine.enqueue(JobRequest.of("test"));
		this.worker.engine.enqueue(JobRequest.of("test"));
		this.worker.lanes.sweep();
		assertThat(this.lanes.pause(ClaimingWorker.FOREVER)).isEqualTo(ClaimingWorker.FOREVER);
		ClaimPlan plan = ClaimPlan.of(
				this.worker.lanes.of(List.of(this.worker.pool), this.worker.pools, this.lanes::kind, Set.of()).lanes(),
				this.lanes::kind, this.worker.lanes::hadJobs);
		assertThat(this.lanes.claimFirst(plan, Map.of(this.worker.pool.name(), 2))).hasSize(1);
		await("the token has come").until(() -> this.lanes.pause(ClaimingWorker.FOREVER).isZero());
		assertThat(this.lanes.isDue()).isTrue();
	}

}

package io.rowqueue.engine.claim;

import java.sql.SQLException;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

import io.rowqueue.JobRequest;
import io.rowqueue.engine.attempt.ActiveJob;
import io.rowqueue.engine.attempt.AttemptOutcome;
import io.rowqueue.engine.finish.Finisher;
import io.rowqueue.engine.attempt.TestJobs;
import io.rowqueue.testing.Async;
import io.rowqueue.testing.Engine;
import io.rowqueue.testing.OpenTransaction;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

class ClaimLoopTests {

	@AutoClose
	private final ClaimingWorker worker = new ClaimingWorker(2, Runnable::run);

	@Test
	void theClaimLoopClaimsAllJobsAndThenWaits() throws InterruptedException {
		this.worker.engine.enqueue("test");
		this.worker.claims.turn(ClaimingWorker.FOREVER);
		assertThat(this.worker.pool.jobs().held()).hasSize(1);
		assertThatItWaits();
	}

	@Test
	void theClaimLoopDoesNotClaimAfterASweepThatFindsNoJobs() throws SQLException {
		try (OpenTransaction other = this.worker.engine.begin()) {
			other.execute("lock table {schema}.claim"); // a claim would wait
			CompletableFuture<Void> turn = Async.run(this::turn);
			assertThat(turn).succeedsWithin(Engine.PATIENCE);
		}
		assertThat(this.worker.lanes.sweeps()).isEqualTo(1);
		assertThatItWaits();
	}

	@Test
	void theClaimLoopQueriesAgainWhenItIsWoken() throws InterruptedException {
		this.worker.claims.turn(ClaimingWorker.FOREVER);
		this.worker.engine.enqueue("test");
		this.worker.claims.jobsArrived(List.of("default"));
		await().until(() -> {
			this.worker.claims.turn(ClaimingWorker.FOREVER);
			return this.worker.pool.jobs().held().size() == 1;
		});
	}

	@Test
	void theClaimLoopDoesNotClaimForAQueueThatThisWorkerDoesNotServe() throws Exception {
		try (ClaimingWorker mine = new ClaimingWorker(Map.of("mine", 1), 0, Runnable::run)) {
			mine.claims.turn(ClaimingWorker.FOREVER); // with a sweep
			mine.claims.turn(Duration.ofMillis(1));
			assertThat(mine.pool.demand().isThere()).isFalse();
			mine.engine.enqueue(JobRequest.of("test").queue("others"));
			mine.claims.jobsArrived(List.of("others"));
			assertThat(mine.pool.demand().isThere()).isFalse();
			mine.claims.jobsArrived(List.of("others", "mine"));
			assertThat(mine.pool.demand().isThere()).isTrue();
			mine.claims.turn(ClaimingWorker.FOREVER);
			assertThat(mine.pool.jobs().held()).isEmpty();
		}
	}

	/** As when all jobs that have arrived are in the outbox. */
	@Test
	void theClaimLoopKeepsSleepingWhenJobsOfNoQueueArrive() throws InterruptedException {
		this.worker.claims.turn(ClaimingWorker.FOREVER); // with a sweep
		this.worker.claims.turn(Duration.ofMillis(1));
		this.worker.claims.jobsArrived(List.of());
		assertThat(this.worker.pool.demand().isThere()).isFalse();
		assertThatItWaits();
	}

	@Test
	void theClaimLoopWaitsForASlotWhenItIsFullAndKnowsThatThereMayBeMore() throws InterruptedException {
		this.worker.engine.enqueue("test");
		this.worker.claims.turn(ClaimingWorker.FOREVER); // with a sweep
		this.worker.engine.enqueue("test");
		this.worker.claims.jobsArrived(List.of("default"));
		this.worker.pool.jobs().next();
		this.worker.pool.jobs().add(List.of(TestJobs.job(-1)));
		ActiveJob taken = this.worker.pool.jobs().next();
		assertThat(this.worker.pool.room()).as("the pool is full").isZero();
		await().until(() -> this.worker.lanes.pace().untilAllowed().isZero());
		this.worker.claims.reconsider();
		this.worker.claims.turn(ClaimingWorker.FOREVER);
		CompletableFuture<Void> turn = assertThatItWaits();
		this.worker.pool.jobs().done(taken);
		this.worker.claims.slotFreed(this.worker.pool, "test");
		assertThat(turn).succeedsWithin(Engine.PATIENCE);
		this.worker.claims.turn(ClaimingWorker.FOREVER);
		assertThat(this.worker.engine.leased()).isEqualTo(2);
	}

	/** While a job waits and others run, room for one more is not worth a claim. */
	@Test
	void theClaimLoopIsNotifiedByASlotThatTakesTheLastJobThatWaits() throws Exception {
		try (ClaimingWorker four = new ClaimingWorker(4, Runnable::run)) {
			four.claims.turn(ClaimingWorker.FOREVER); // with a sweep
			four.pool.jobs().add(List.of(TestJobs.job(-1), TestJobs.job(-2), TestJobs.job(-3)));
			four.pool.jobs().next();
			four.pool.jobs().next();
			four.engine.enqueue("test");
			four.claims.jobsArrived(List.of("default"));
			// is woken, and sees that it need not
			four.claims.turn(ClaimingWorker.FOREVER);
			CompletableFuture<Void> turn = assertThatItWaits(four);
			four.pool.jobs().next();
			four.claims.slotTaken(four.pool);
			assertThat(turn).succeedsWithin(Engine.PATIENCE);
			await().until(() -> {
				four.claims.turn(Duration.ofMillis(1));
				return four.pool.jobs().heldCount() == 4;
			});
		}
	}

	@Test
	void theClaimLoopSleepsNoLongerThanTheGivenTime() throws InterruptedException {
		this.worker.claims.turn(ClaimingWorker.FOREVER);
		CompletableFuture<Void> turn = Async.run(() -> {
			try {
				this.worker.claims.turn(Duration.ofMillis(1));
			}
			catch (InterruptedException ex) {
				throw new IllegalStateException(ex);
			}
		});
		assertThat(turn).as("nothing else ends the sleep").succeedsWithin(Engine.PATIENCE);
		assertThatItWaits();
	}

	@Test
	void theClaimLoopClaimsNothingWhileTheFinisherIsBehind() throws InterruptedException {
		this.worker.engine.enqueue("test");
		for (int i = 0; i < Finisher.MAX_UNWRITTEN; i++) {
			this.worker.finisher.add(new AttemptOutcome.Succeeded(TestJobs.job(-i), null));
		}
		CompletableFuture<Void> turn = assertThatItWaits();
		this.worker.finisher.turn();
		this.worker.claims.reconsider();
		assertThat(turn).succeedsWithin(Engine.PATIENCE);
		this.worker.claims.turn(ClaimingWorker.FOREVER);
		assertThat(this.worker.pool.jobs().held()).hasSize(1);
	}

	@Test
	void theClaimLoopClaimsThousandsOfJobsTheOldestFirst() throws Exception {
		try (ClaimingWorker wide = new ClaimingWorker(3000, Runnable::run)) {
			wide.engine.queue().enqueueAll(Collections.nCopies(2200, JobRequest.of("test")));
			for (int claim = 0; claim < 4; claim++) {
				wide.claims.turn(ClaimingWorker.FOREVER);
			}
			assertThat(wide.pool.jobs().held()).hasSize(2000);
			assertThat(wide.engine.leased()).isEqualTo(2000);
			assertThat(wide.engine.number("""
					select count(*) from rowqueue.job where worker_id is null
						and id > (select max(id) from rowqueue.job where worker_id is not null)""")).isEqualTo(200);
		}
	}

	@Test
	void aJobThatWasLockedAndLetGoIsClaimedAfterTheNextSweepThoughThereAreAlwaysOthers() throws Exception {
		try (ClaimingWorker wide = new ClaimingWorker(9000, Runnable::run)) {
			wide.engine.queue().enqueueAll(Collections.nCopies(5000, JobRequest.of("test")));
			wide.claims.turn(ClaimingWorker.FOREVER);
			passOverAJobThatWasLocked(wide);
			wide.claims.turn(ClaimingWorker.FOREVER); // sweeps
			wide.claims.turn(ClaimingWorker.FOREVER); // if it sweeps beside the claims
			assertThat(jobsBeforeClaimedOnes(wide)).isZero();
		}
	}

	@Test
	void aJobThatWasLockedAndLetGoIsClaimedAfterALookThatWasBesideAFullClaim() throws Exception {
		try (ClaimingWorker wide = new ClaimingWorker(9000, Runnable::run)) {
			wide.engine.queue().enqueueAll(Collections.nCopies(5000, JobRequest.of("test")));
			wide.claims.turn(ClaimingWorker.FOREVER);
			for (int look = 0; look < 2; look++) {
				wide.lanes.take(new LaneMap.Look(wide.lanes.look().sweep(), Duration.ofMillis(6).toNanos()));
			}
			passOverAJobThatWasLocked(wide);
			wide.claims.turn(ClaimingWorker.FOREVER); // begins a look and a claim
			wide.claims.turn(ClaimingWorker.FOREVER);
			assertThat(jobsBeforeClaimedOnes(wide)).isZero();
		}
	}

	/** Returns when a look at all lanes is due. */
	private static void passOverAJobThatWasLocked(ClaimingWorker worker) throws InterruptedException {
		int sweeps;
		do { // or it was seen by a sweep that was due
			worker.engine.jdbc()
				.execute("select from rowqueue.job where id = (select min(id) from rowqueue.job where state = 'queued')"
						+ " for update");
			sweeps = worker.lanes.sweeps();
			worker.claims.turn(ClaimingWorker.FOREVER);
		}
		while (worker.lanes.sweeps() != sweeps);
		assertThat(jobsBeforeClaimedOnes(worker)).as("passed over without a look at its lock").isEqualTo(1);
		await().until(worker.lanes.pace()::isDue);
	}

	private static long jobsBeforeClaimedOnes(ClaimingWorker worker) {
		return worker.engine.number("""
				select count(*) from rowqueue.job where worker_id is null
					and id < (select max(id) from rowqueue.job where worker_id is not null)""");
	}

	private void turn() {
		try {
			this.worker.claims.turn(ClaimingWorker.FOREVER);
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
	}

	private CompletableFuture<Void> assertThatItWaits() {
		return assertThatItWaits(this.worker);
	}

	private static CompletableFuture<Void> assertThatItWaits(ClaimingWorker worker) {
		Thread[] thread = new Thread[1];
		CompletableFuture<Void> turn = Async.run(() -> {
			thread[0] = Thread.currentThread();
			try {
				worker.claims.turn(ClaimingWorker.FOREVER);
			}
			catch (InterruptedException ex) {
				throw new IllegalStateException(ex);
			}
		});
		await().until(() -> thread[0] != null && (turn.isDone() || thread[0].getState() == Thread.State.TIMED_WAITING));
		assertThat(turn).isNotDone();
		return turn;
	}

}

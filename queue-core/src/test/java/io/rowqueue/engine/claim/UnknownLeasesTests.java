package io.rowqueue.engine.claim;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

import io.rowqueue.Job;
import io.rowqueue.JobState;
import io.rowqueue.testing.Engine;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.springframework.dao.TransientDataAccessResourceException;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** A claim was committed, but its answer never reached the worker. */
@Execution(ExecutionMode.CONCURRENT)
class UnknownLeasesTests {

	@AutoClose
	private final Engine engine = new Engine();

	@Test
	void anAttemptThatBeganAndHasNoOutcomeCountsAsFailed() {
		this.engine.process().maxAttempts(2).handle("test", (payload, context) -> {
		}).startAndListen();
		long first = lease("running", 1, 1);
		long last = lease("running", 2, 2);
		Job again = this.engine.awaitState(first, JobState.SUCCEEDED);
		assertThat(again.attempt()).isEqualTo(2);
		assertThat(this.engine.failures(first)).hasSize(1);
		assertThat(this.engine.awaitState(last, JobState.FAILED).lastError())
			.matches("worker \\d+ has no outcome of this attempt.*");
	}

	private long lease(String state, int attempt, int lease) {
		return this.engine.number("with worker as (select id from rowqueue.worker),"
				+ " leased as (insert into rowqueue.job (run_at, order_at, state, queue, type, worker_id, leased_at, attempt, lease)"
				+ " select now(), now(), ?::rowqueue.job_state, 'default', 'test', id, now(), ?, ? from worker"
				+ " returning id, worker_id),"
				+ " claim as (insert into rowqueue.claim (worker_id, job_ids) select worker_id, array[id] from leased)"
				+ " select id from leased", state, attempt, lease);
	}

	@Test
	void jobsWithUnknownLeasesAreReleasedAndLoseNoAttempt() throws InterruptedException {
		CountDownLatch running = new CountDownLatch(1);
		CountDownLatch release = new CountDownLatch(1);
		AtomicInteger runs = new AtomicInteger();
		this.engine.process().withoutPolling().handle("test", (payload, context) -> {
		}).handle("held", (payload, context) -> {
			runs.incrementAndGet();
			running.countDown();
			release.await();
		}).startAndListen();
		long held = this.engine.enqueue("held");
		running.await();
		this.engine.jdbc()
			.update("with job as (insert into rowqueue.job (run_at, order_at, state, queue, type, worker_id, leased_at, attempt, lease)"
					+ " select now(), now(), 'starting', 'default', 'test', id, now(), 1, 1 from rowqueue.worker"
					+ " returning id, worker_id) insert into rowqueue.claim (worker_id, job_ids)"
					+ " select worker_id, array[id] from job");
		long forgotten = this.engine.number("select id from rowqueue.job where type = 'test'");
		assertThat(this.engine.awaitState(forgotten, JobState.SUCCEEDED).attempt()).isEqualTo(1);
		release.countDown();
		this.engine.awaitState(held, JobState.SUCCEEDED);
		assertThat(runs).hasValue(1);
	}

	/** A turn that asks nothing would pass for one that works. */
	@Test
	void theNextTurnClaimsIfTheyCouldNotBeLookedFor() throws Exception {
		try (ClaimingWorker worker = new ClaimingWorker(1, Runnable::run)) {
			Background<UnknownLeases.Leases> look = new Background<>(Runnable::run, () -> {
			});
			UnknownLeases forgotten = new UnknownLeases(worker.engine.queueDatabase(), 1, worker.pools, worker.finisher,
					null, worker.claims.directStarts(), look);
			worker.pool.demand().take();
			look.begin(() -> {
				throw new TransientDataAccessResourceException("away");
			});
			assertThat(forgotten.isReady(worker.claims)).isTrue();
			assertThatExceptionOfType(TransientDataAccessResourceException.class).isThrownBy(forgotten::release);
			assertThat(worker.pool.demand().isThere()).isTrue();
		}
	}

}

package io.rowqueue.engine.worker;

import java.sql.Connection;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Map;

import io.rowqueue.HandlerOptions;
import io.rowqueue.JobState;
import io.rowqueue.StopReason;
import io.rowqueue.control.CancelResult;
import io.rowqueue.control.JobControl;
import io.rowqueue.engine.attempt.ActiveJob;
import io.rowqueue.engine.claim.ClaimingWorker;
import io.rowqueue.engine.finish.Finisher;
import io.rowqueue.engine.lease.Claim.PoolLane;
import io.rowqueue.engine.lease.Claim;
import io.rowqueue.engine.lease.Lane;
import io.rowqueue.engine.lease.LaneHead;
import io.rowqueue.engine.slot.Pool;
import io.rowqueue.engine.slot.Pools;
import io.rowqueue.testing.Engine;
import io.rowqueue.testing.Stores;
import io.rowqueue.testing.WorkerIdentities;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** What a worker reports of its jobs, and the answers, one turn after the other. */
class ReporterTests {

	@AutoClose
	private final Engine engine = new Engine();

	private final Stores store = new Stores(this.engine.jdbc());

	private final WorkerStore workers = this.engine.workerStore();

	private final long worker = this.workers.register(WorkerIdentities.of("test", List.of("*"), List.of("test")));

	private final JobControl control = this.engine.control();

	private final Pools pools = new Pools(4, Map.of(), 0);

	private final Pool pool = this.pools.of("default").orElseThrow();

	private final Finisher finisher = new Finisher(ClaimingWorker.outcomeWriter(this.store, this.worker, (queues) -> {
	}), () -> {
	});

	private final Reporter reporter = new Reporter(this.store.leases(), this.worker, this.pools, this.finisher, () -> {
	});

	@AfterEach
	void clear() {
		Thread.interrupted();
	}

	@Test
	void theReporterStopsAJobThatWasToBeCancelledBeforeTheAnswerToItsClaimArrived() {
		ActiveJob job = claim();
		cancel(job);
		heartbeat();
		this.reporter.turn();
		assertThat(job.stopReason()).as("the worker does not know it yet").isNull();
		run(job);
		this.reporter.turn();
		assertThat(job.stopReason()).isEqualTo(StopReason.CANCELLED);
	}

	@Test
	void theReporterInterruptsAJobOnceAlsoWhileItLooksForAnotherOne() {
		ActiveJob known = claim();
		run(known);
		cancel(known);
		ActiveJob unknown = claim();
		cancel(unknown);
		heartbeat();
		this.reporter.turn();
		assertThat(Thread.interrupted()).isTrue();
		this.reporter.turn();
		assertThat(Thread.currentThread().isInterrupted()).isFalse();
		run(unknown);
		this.reporter.turn();
		assertThat(unknown.stopReason()).isEqualTo(StopReason.CANCELLED);
	}

	@Test
	void theReporterShowsALongJobAsRunningWhenItsRowIsNoLongerLocked() throws Exception {
		ActiveJob job = claim();
		run(job);
		await().until(() -> job.mustBeMarkedRunning(Duration.ofSeconds(1).toNanos()));
		try (Connection other = this.engine.dataSource().getConnection();
				Statement statement = other.createStatement()) {
			other.setAutoCommit(false);
			statement.execute("select from rowqueue.job for update");
			this.reporter.turn();
			assertThat(this.engine.job(job.id()).state()).isEqualTo(JobState.STARTING);
			other.rollback();
		}
		this.reporter.turn();
		assertThat(this.engine.job(job.id()).state()).isEqualTo(JobState.RUNNING);
	}

	/** The claim is committed, and only the test has its answer. */
	private ActiveJob claim() {
		this.engine.enqueue("test");
		return this.store
			.claim(new Claim(this.worker, Map.of("*", 1),
					List.of(new PoolLane("*", new LaneHead(new Lane("default", "test", 0), LaneHead.NO_MARK)))))
			.jobs()
			.stream()
			.map((job) -> new ActiveJob(job, HandlerOptions.NONE.maxAttempts(3), 0))
			.findFirst()
			.orElseThrow();
	}

	/** The calling thread runs it. */
	private void run(ActiveJob job) {
		this.pool.jobs().add(List.of(job));
		assertThat(this.pool.jobs().next()).isSameAs(job);
		job.begin();
	}

	private void cancel(ActiveJob job) {
		assertThat(this.control.cancel(job.id())).isEqualTo(CancelResult.REQUESTED);
	}

	private void heartbeat() {
		this.reporter.cancelRequests(this.workers.heartbeat(this.worker, 0).orElseThrow().cancelRequests());
	}

}

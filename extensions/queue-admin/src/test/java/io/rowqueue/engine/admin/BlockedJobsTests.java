package io.rowqueue.engine.admin;

import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

import io.rowqueue.JobRequest;
import io.rowqueue.JobState;
import io.rowqueue.admin.FlowAdmin;
import io.rowqueue.admin.FlowJobView;
import io.rowqueue.admin.FlowState;
import io.rowqueue.admin.FlowView;
import io.rowqueue.control.JobControl;
import io.rowqueue.engine.database.QueueDatabases;
import io.rowqueue.engine.history.CleanupStore;
import io.rowqueue.engine.job.BatchStore;
import io.rowqueue.engine.job.NewFlowJob;
import io.rowqueue.engine.lease.Failure;
import io.rowqueue.engine.lease.KeptJobs;
import io.rowqueue.engine.lease.Lease;
import io.rowqueue.engine.wakeup.WakeUps;
import io.rowqueue.flow.BatchProgress;
import io.rowqueue.flow.FlowResult;
import io.rowqueue.testing.NewJobs;
import io.rowqueue.testing.StoreDatabase;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.groups.Tuple.tuple;

/**
 * What people see of jobs that wait for others, of flows and batches, and for how long.
 */
class BlockedJobsTests {

	@RegisterExtension
	static final StoreDatabase database = new StoreDatabase();

	private static final Duration NO_TIME = Duration.ZERO;

	private final long worker = database.worker();

	private final JobControl control = database.jobs().control(WakeUps.ofThisProcess(database.queueDatabase()));

	private final FlowAdmin flows = new DefaultFlowAdmin(database.queueDatabase(),
			WakeUps.ofThisProcess(database.queueDatabase()));

	@Test
	void aFlowIsShownWithItsJobs() {
		FlowResult flow = chain();
		succeed();
		FlowView view = this.flows.find(flow.id()).orElseThrow();
		assertThat(view)
			.extracting(FlowView::name, FlowView::state, FlowView::jobs, FlowView::open, FlowView::succeeded,
					FlowView::endedAt)
			.containsExactly("flow", FlowState.RUNNING, 3, 2, 1, null);
		assertThat(this.flows.jobs(flow.id())).extracting(FlowJobView::name, FlowJobView::state)
			.containsExactly(tuple("a", JobState.SUCCEEDED), tuple("b", JobState.QUEUED), tuple("c", JobState.BLOCKED));
		assertThat(this.flows.list(Long.MAX_VALUE, 10)).containsExactly(view);
		assertThat(this.flows.list(flow.id(), 10)).isEmpty();
	}

	@Test
	void theGraphOfAFlowStaysWhenItsJobsHaveEnded() {
		FlowResult flow = database.jobs()
			.enqueue("flow", List.of(flowJob("a"), flowJob("b", "a"), flowJob("c", "b", "a"), flowJob("d")));
		for (int i = 0; i < 3; i++) {
			succeed();
		}
		assertThat(this.flows.jobs(flow.id())).extracting(FlowJobView::name, FlowJobView::after)
			.containsExactly(tuple("a", List.of()), tuple("b", List.of("a")), tuple("c", List.of("b", "a")),
					tuple("d", List.of()));
		assertThat(database.count("job_dependency")).isZero();
	}

	@Test
	void aBatchIsCancelledWithAllThatWaits() {
		BatchStore batches = new BatchStore(QueueDatabases.of(database.queueDatabase()), KeptJobs.ALL);
		long batch = batches.create("batch", true, List.of(), List.of());
		batches.add(batch, Collections.nCopies(1500, NewJobs.of(JobRequest.of("waits"), null)));
		Lease held = database.claimOne(this.worker).lease();
		batches.add(batch, List.of(NewJobs.of(JobRequest.of("later").after(held.jobId()), null)));
		assertThat(this.flows.cancelBatch(batch)).isEqualTo(1501);
		assertThat(database.jobs().leases().cancelRequested(this.worker)).containsExactly(held);
		assertThat(database.count("job_finished where state = 'cancelled'")).isEqualTo(1500);
		assertThat(this.flows.cancelBatch(batch)).isZero();
		assertThat(this.flows.batches(Long.MAX_VALUE, 1)).extracting(BatchProgress::id).containsExactly(batch);
		assertThat(this.flows.batches(batch, 1)).extracting(BatchProgress::id).doesNotContain(batch);
	}

	@Test
	void aFlowIsCancelledWhole() {
		FlowResult flow = chain();
		assertThat(this.flows.cancel(flow.id())).isEqualTo(3);
		assertThat(this.flows.find(flow.id()).orElseThrow().state()).isEqualTo(FlowState.CANCELLED);
		assertThat(this.flows.cancel(flow.id())).isZero();
		assertThat(database.count("job_dependency")).isZero();
	}

	@Test
	void cancellingARunningFlowCancelsWaitingJobsAndStopsRunningOnes() {
		FlowResult flow = chain();
		Lease a = database.claimOne(this.worker).lease();
		assertThat(this.flows.cancel(flow.id())).isEqualTo(3);
		assertThat(database.jobs().leases().cancelRequested(this.worker)).containsExactly(a);
		assertThat(database.state(flow.jobId("b"))).isEqualTo(JobState.CANCELLED);
		database.jobs().cancel(this.worker, List.of(a));
		assertThat(this.flows.find(flow.id()).orElseThrow().state()).isEqualTo(FlowState.CANCELLED);
	}

	@Test
	void aFlowIsRetriedFromWhatFailed() {
		FlowResult flow = chain();
		succeed();
		fail();
		assertThat(this.flows.find(flow.id()).orElseThrow().state()).isEqualTo(FlowState.FAILED);
		assertThat(this.flows.retry(flow.id())).isEqualTo(1);
		succeed();
		succeed();
		assertThat(this.flows.find(flow.id()).orElseThrow()).extracting(FlowView::state, FlowView::succeeded)
			.containsExactly(FlowState.SUCCEEDED, 3);
		assertThat(this.flows.retry(flow.id())).isZero();
	}

	@Test
	void aFailedJobStaysForThoseThatWaitForIt() {
		FlowResult flow = chain();
		fail();
		for (int left = 3; left > 0; left--) {
			assertThat(database.count("job")).isEqualTo(left);
			assertThat(new CleanupStore(database.queueDatabase()).deleteFailed(NO_TIME, Map.of(), 100)).isEqualTo(1);
		}
		assertThat(database.count("job_dependency")).isZero();
		assertThat(this.flows.find(flow.id()).orElseThrow().state()).isEqualTo(FlowState.FAILED);
	}

	@Test
	void aFlowIsKeptUntilTheLastOfItsJobsHasBeenOverForLong() {
		chain();
		succeed();
		succeed();
		assertThat(new CleanupStore(database.queueDatabase()).deleteFlows(NO_TIME, 100)).isZero();
		succeed();
		assertThat(new CleanupStore(database.queueDatabase()).deleteFlows(Duration.ofHours(1), 100)).isZero();
		assertThat(new CleanupStore(database.queueDatabase()).deleteFlows(NO_TIME, 100)).isEqualTo(1);
		assertThat(database.count("flow_job")).isZero();
	}

	@Test
	void batchesAndResultsGoAsWell() {
		long batch = database.jobs().batches().create("batch", false, List.of(), List.of());
		assertThat(new CleanupStore(database.queueDatabase()).deleteBatches(NO_TIME, 100)).isZero();
		database.maintenance().rollUpBatches(100);
		assertThat(database.jobs().batches().find(batch).orElseThrow().isFinished()).isTrue();
		assertThat(new CleanupStore(database.queueDatabase()).deleteBatches(Duration.ofHours(1), 100)).isZero();
		assertThat(new CleanupStore(database.queueDatabase()).deleteBatches(NO_TIME, 100)).isEqualTo(1);
		database.update("insert into {schema}.job_result (job_id, result) values (4711, '1')");
		assertThat(new CleanupStore(database.queueDatabase()).deleteResults(NO_TIME, 100)).isEqualTo(1);
	}

	@Test
	void batchesAreRolledUpAndShownBothBeforeAndAfter() {
		long batch = database.jobs().batches().create("batch", true, List.of(), List.of());
		database.jobs().batches().add(batch, List.of(NewJobs.of(JobRequest.of("a"), null)));
		succeed();
		String sql = "select name || state || total || pending || succeeded from {schema}.batches";
		assertThat(database.query(sql, String.class)).isEqualTo("batchopen101");
		database.maintenance().rollUpBatches(100);
		assertThat(database.query(sql, String.class)).isEqualTo("batchopen101");
		assertThat(database.count("batch_delta")).isZero();
	}

	private static FlowResult chain() {
		return database.jobs().enqueue("flow", List.of(flowJob("a"), flowJob("b", "a"), flowJob("c", "b")));
	}

	private static NewFlowJob flowJob(String name, String... after) {
		return new NewFlowJob(name, NewJobs.of(JobRequest.of(name), null), new LinkedHashSet<>(List.of(after)),
				Set.of());
	}

	private void succeed() {
		assertThat(database.jobs().succeed(this.worker, List.of(database.claimOne(this.worker).lease()))).hasSize(1);
	}

	private void fail() {
		database.jobs()
			.outcomes()
			.fail(this.worker, List.of(new Failure(database.claimOne(this.worker).lease(), "error", null)));
	}

}

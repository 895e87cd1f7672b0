package io.rowqueue.engine.job;

import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

import io.rowqueue.DuplicateJobException;
import io.rowqueue.DuplicatePolicy;
import io.rowqueue.EnqueueResult;
import io.rowqueue.EnqueueResult.Outcome;
import io.rowqueue.JobQueue;
import io.rowqueue.JobRequest;
import io.rowqueue.JobState;
import io.rowqueue.JobType;
import io.rowqueue.engine.enqueue.DeclaredTypes;
import io.rowqueue.engine.enqueue.EnqueueHooks;
import io.rowqueue.engine.lease.DirectStart;
import io.rowqueue.engine.wakeup.WakeUps;
import io.rowqueue.flow.Batch;
import io.rowqueue.flow.BatchProgress;
import io.rowqueue.flow.Flow;
import io.rowqueue.flow.FlowResult;
import io.rowqueue.listen.JobListener;
import io.rowqueue.testing.NewJobs;
import io.rowqueue.testing.OpenTransaction;
import io.rowqueue.testing.StoreDatabase;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/** Jobs of flows and batches with unique keys. */
class FlowKeyTests {

	@RegisterExtension
	static final StoreDatabase database = new StoreDatabase();

	private final long worker = database.worker();

	@Test
	void aJobWithAKeyThatIsFreeBelongsToTheFlow() {
		FlowResult flow = flow(keyed("a", "key"), job("b", "a"));
		assertThat(database.state(flow.jobId("b"))).isEqualTo(JobState.BLOCKED);
		succeed();
		assertThat(database.state(flow.jobId("b"))).isEqualTo(JobState.QUEUED);
		succeed();
		assertThat(state(flow)).isEqualTo("succeeded");
	}

	@Test
	void aDuplicateIsRejected() {
		JobRequest request = JobRequest.of("a").uniqueKey("key").duplicates(DuplicatePolicy.reject());
		long existing = database.enqueue(request);
		assertThatExceptionOfType(DuplicateJobException.class).isThrownBy(() -> database.enqueue(request))
			.withMessage("Job " + existing + " already has the unique key 'key'")
			.satisfies((ex) -> assertThat(ex.jobId()).isEqualTo(existing));
		assertThatExceptionOfType(DuplicateJobException.class).isThrownBy(() -> {
			try (OpenTransaction open = database.begin()) {
				open.jobs()
					.enqueue("flow", List.of(job("first"),
							new NewFlowJob("a", NewJobs.of(request, null), Set.of("first"), Set.of())));
			}
		});
		assertThat(database.count("job")).isOne();
	}

	@Test
	void aJobThatRejectsDuplicatesRunsAfterOthers() {
		JobRequest request = JobRequest.of("b").uniqueKey("key").duplicates(DuplicatePolicy.reject());
		FlowResult flow = flow(job("a"), new NewFlowJob("b", NewJobs.of(request, null), Set.of("a"), Set.of()));
		assertThat(database.state(flow.jobId("b"))).isEqualTo(JobState.BLOCKED);
		succeed();
		assertThat(database.state(flow.jobId("b"))).isEqualTo(JobState.QUEUED);
		succeed();
		assertThat(state(flow)).isEqualTo("succeeded");
	}

	@Test
	void aReplacedJobOfAFlowStillRunsAfterOthers() {
		JobRequest request = JobRequest.of("b").uniqueKey("key").duplicates(DuplicatePolicy.reject());
		FlowResult flow = flow(job("a"), new NewFlowJob("b", NewJobs.of(request, null), Set.of("a"), Set.of()));
		assertThat(database.enqueue(request.priority(1).duplicates(DuplicatePolicy.replace())))
			.isEqualTo(flow.jobId("b"));
		assertThat(database.find(flow.jobId("b")).priority()).isOne();
		assertThat(database.state(flow.jobId("b"))).isEqualTo(JobState.BLOCKED);
		succeed();
		assertThat(database.state(flow.jobId("b"))).isEqualTo(JobState.QUEUED);
		succeed();
		assertThat(state(flow)).isEqualTo("succeeded");
	}

	@Test
	void aJobThatWouldNotBeANewOneIsRefused() {
		JobRequest keyed = JobRequest.of("b").uniqueKey("key");
		for (DuplicatePolicy policy : List.of(DuplicatePolicy.keep(), DuplicatePolicy.replace(),
				DuplicatePolicy.runAgain())) {
			assertThatIllegalArgumentException().isThrownBy(() -> Flow.named("flow").job("b", keyed.duplicates(policy)))
				.withMessageContaining("job 'b' of flow 'flow'")
				.withMessageContaining("DuplicatePolicy.reject()");
		}
	}

	@Test
	void aJobThatWouldNotBeANewOneByTheDefaultsOfItsTypeIsRefused() {
		JobType<String> keeping = JobType.of("b", String.class).uniqueKey((payload) -> payload);
		JobType<String> replacing = keeping.duplicates(DuplicatePolicy.replace());
		Flow flow = Flow.named("flow").job("a", JobRequest.of("a")).job("b", JobRequest.of("b", "key")).after("a");
		for (JobType<String> type : List.of(replacing, keeping)) {
			JobQueue queue = queue(type);
			assertThatIllegalArgumentException().isThrownBy(() -> queue.enqueue(flow))
				.withMessageContaining("job 'b' of flow 'flow'");
		}
		assertThat(queue(keeping.duplicates(DuplicatePolicy.reject())).enqueue(flow).jobs()).hasSize(2);
	}

	@Test
	void aCallbackOfABatchThatHasAKeyByTheDefaultsOfItsTypeIsRefused() {
		JobQueue queue = queue(JobType.of("b", String.class).uniqueKey((payload) -> payload));
		Batch batch = Batch.named("batch").onFinish(JobRequest.of("b", "key"));
		assertThatIllegalArgumentException().isThrownBy(() -> queue.enqueueBatch(batch, Stream.of()))
			.withMessageContaining("a callback of a batch cannot have a unique key")
			.withMessageContaining("the type 'b'");
		assertThat(database.count("batch")).isZero();
	}

	private static JobQueue queue(JobType<String> type) {
		DeclaredTypes types = (name) -> name.equals(type.name()) ? type : null;
		return database.jobs()
			.queue(database.jdbc().getDataSource(), WakeUps.ofThisProcess(database.queueDatabase()),
					new EnqueueHooks(List::of, () -> JobListener.NONE, types, DirectStart.NONE, JobWindows.NONE));
	}

	@Test
	void aBatchCountsTheJobsThatItHasCreated() {
		long existing = database.enqueue(JobRequest.of("a").uniqueKey("key"));
		long batch = database.jobs().batches().create("batch", false, List.of(), List.of());
		List<EnqueueResult> added = database.jobs()
			.batches()
			.add(batch, List.of(NewJobs.of(JobRequest.of("a").uniqueKey("key"), null),
					NewJobs.of(JobRequest.of("b"), null), NewJobs.of(JobRequest.of("c").uniqueKey("other"), null)));
		assertThat(added).extracting(EnqueueResult::outcome)
			.containsExactly(Outcome.KEPT, Outcome.CREATED, Outcome.CREATED);
		assertThat(added.get(0).id()).isEqualTo(existing);
		succeed();
		succeed();
		succeed();
		database.maintenance().rollUpBatches(100);
		BatchProgress progress = database.jobs().batches().find(batch).orElseThrow();
		assertThat(progress.isFinished()).isTrue();
		assertThat(progress.succeeded()).isEqualTo(2);
	}

	private static FlowResult flow(NewFlowJob... jobs) {
		return database.jobs().enqueue("flow", List.of(jobs));
	}

	private static NewFlowJob job(String name, String... after) {
		return new NewFlowJob(name, NewJobs.of(JobRequest.of(name), null), Set.of(after), Set.of());
	}

	private static NewFlowJob keyed(String name, String key) {
		JobRequest request = JobRequest.of(name).uniqueKey(key).duplicates(DuplicatePolicy.reject());
		return new NewFlowJob(name, NewJobs.of(request, null), Set.of(), Set.of());
	}

	private void succeed() {
		assertThat(database.jobs().succeed(this.worker, List.of(database.claimOne(this.worker).lease()))).hasSize(1);
	}

	private String state(FlowResult flow) {
		return database.query("select state from {schema}.flows where id = ?", String.class, flow.id());
	}

}

package io.rowqueue.engine.admin;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Future;

import io.rowqueue.JobQueueException;
import io.rowqueue.JobRequest;
import io.rowqueue.JobState;
import io.rowqueue.admin.FlowAdmin;
import io.rowqueue.admin.FlowJobView;
import io.rowqueue.admin.FlowState;
import io.rowqueue.engine.job.EnqueueStore.StoredFlow;
import io.rowqueue.engine.job.NewFlowJob;
import io.rowqueue.engine.lease.ClaimedJob;
import io.rowqueue.engine.lease.Failure;
import io.rowqueue.engine.lease.Lease;
import io.rowqueue.engine.wakeup.WakeUps;
import io.rowqueue.flow.FlowResult;
import io.rowqueue.testing.NewJobs;
import io.rowqueue.testing.OpenTransaction;
import io.rowqueue.testing.StoreDatabase;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.tuple;

/** Running jobs that add jobs to their flow, as the database sees it. */
class FlowAdditionTests {

	@RegisterExtension
	static final StoreDatabase database = new StoreDatabase();

	private final long worker = database.worker();

	private final FlowAdmin flows = new DefaultFlowAdmin(database.queueDatabase(),
			WakeUps.ofThisProcess(database.queueDatabase()));

	@Test
	void theFlowWaitsForWhatARunningJobAdds() {
		FlowResult flow = flow(job("list"));
		Lease list = lease("list");
		StoredFlow added = database.jobs().extend(list, false, job("page"));
		assertThat(added.result().id()).isEqualTo(flow.id());
		succeed(list);
		assertThat(state(flow)).isEqualTo(FlowState.RUNNING);
		succeed(lease("page"));
		assertThat(state(flow)).isEqualTo(FlowState.SUCCEEDED);
		assertThat(this.flows.jobs(flow.id())).extracting(FlowJobView::name, FlowJobView::addedBy)
			.containsExactly(tuple("list", null), tuple("page", list.jobId()));
	}

	@Test
	void aJobRunsAfterJobsThatTheFlowHasAlready() {
		FlowResult flow = flow(job("done"), job("list", "done"), job("other"));
		succeed(lease("done"));
		Lease list = lease("list");
		FlowResult added = database.jobs()
			.extend(list, false, job("at once", "done"), job("later", "other", "list"), job("last", "later"))
			.result();
		assertThat(database.state(added.jobId("at once"))).isEqualTo(JobState.QUEUED);
		assertThat(database.state(added.jobId("later"))).isEqualTo(JobState.BLOCKED);
		succeed(list);
		succeed(lease("other"));
		database.maintenance().settleDependencies(100);
		assertThat(database.state(added.jobId("later"))).isEqualTo(JobState.QUEUED);
		assertThat(database.state(added.jobId("last"))).isEqualTo(JobState.BLOCKED);
		assertThat(after(flow, "later")).containsExactlyInAnyOrder("other", "list");
	}

	@Test
	void aJobThatRunsAfterTheOneThatAddsWaitsForWhatItIsPutBefore() {
		FlowResult flow = flow(job("list"), job("report", "list"), job("mail", "list"));
		Lease list = lease("list");
		database.jobs().extend(list, false, before(job("page 1"), "report"), before(job("page 2"), "report"));
		succeed(list);
		assertThat(database.state(flow.jobId("mail"))).isEqualTo(JobState.QUEUED);
		succeed(lease("page 1"));
		assertThat(database.state(flow.jobId("report"))).isEqualTo(JobState.BLOCKED);
		succeed(lease("page 2"));
		assertThat(database.state(flow.jobId("report"))).isEqualTo(JobState.QUEUED);
		assertThat(after(flow, "report")).containsExactly("list", "page 1", "page 2");
	}

	@Test
	void allThatRunAfterTheOneThatAddsWaitForTheEndOfAWholeAddition() {
		FlowResult flow = flow(job("list"), job("report", "list"));
		long outside = database.enqueue(JobRequest.of("outside").after(flow.jobId("list")));
		Lease list = lease("list");
		database.jobs().extend(list, true, job("load"), job("check", "load"), job("log"));
		succeed(list);
		database.maintenance().settleDependencies(100);
		succeed(lease("load"));
		succeed(lease("check"));
		assertThat(database.state(flow.jobId("report"))).isEqualTo(JobState.BLOCKED);
		assertThat(database.state(outside)).isEqualTo(JobState.BLOCKED);
		succeed(lease("log"));
		assertThat(database.state(flow.jobId("report"))).isEqualTo(JobState.QUEUED);
		assertThat(database.state(outside)).isEqualTo(JobState.QUEUED);
		assertThat(after(flow, "report")).containsExactlyInAnyOrder("list", "check", "log");
	}

	@Test
	void anAttemptThatIsRepeatedAddsNothingTwice() {
		FlowResult flow = flow(job("list"), job("report", "list"));
		Lease first = lease("list");
		StoredFlow added = database.jobs().extend(first, true, job("page 1"));
		release(first);
		Lease second = lease("list");
		StoredFlow again = database.jobs().extend(second, true, job("page 1"), job("page 2", "page 1"));
		assertThat(again.result().jobId("page 1")).isEqualTo(added.result().jobId("page 1"));
		assertThat(again.kept()).containsExactly("page 1");
		assertThat(this.flows.find(flow.id()).orElseThrow().jobs()).isEqualTo(4);
		assertThatExceptionOfType(JobQueueException.class)
			.isThrownBy(() -> database.jobs().extend(first, true, job("page 3")))
			.withMessageContaining("does not hold the lease");
	}

	@Test
	void theNameOfAJobThatAnotherOneHasAddedIsRefused() {
		flow(job("a"), job("b"));
		Map<String, Lease> leases = leases();
		database.jobs().extend(leases.get("a"), false, job("c"));
		assertThatExceptionOfType(JobQueueException.class)
			.isThrownBy(() -> database.jobs().extend(leases.get("b"), false, job("c")))
			.withMessageContaining("already has a job 'c'");
		assertThatExceptionOfType(JobQueueException.class)
			.isThrownBy(() -> database.jobs().extend(leases.get("b"), false, job("a")))
			.withMessageContaining("already has a job 'a'");
	}

	@Test
	void theEndOfAJobWaitsForATransactionInWhichItAdds() throws SQLException {
		FlowResult flow = flow(job("list"), job("report", "list"));
		Lease list = lease("list");
		OpenTransaction open = database.begin();
		open.jobs().extend(list, true, job("page"));
		Future<List<Long>> end = database.async(() -> database.jobs().succeed(this.worker, List.of(list)));
		database.awaitBlockedStatement();
		open.commit();
		assertThat(StoreDatabase.result(end)).containsExactly(list.jobId());
		assertThat(database.state(flow.jobId("report"))).isEqualTo(JobState.BLOCKED);
		assertThat(state(flow)).isEqualTo(FlowState.RUNNING);
	}

	/**
	 * A transactional handler may take longer than the cancellation of its flow waits.
	 */
	@Test
	void anAdditionThatTakesLongIsNotAwaitedForLonger() throws SQLException {
		FlowResult flow = flow(job("list"));
		Lease list = lease("list");
		OpenTransaction open = database.begin();
		open.jobs().extend(list, true, job("page"));
		assertThat(this.flows.cancel(flow.id())).isOne();
		open.commit();
	}

	@Test
	void aJobThatHasEndedMeanwhileAddsNothing() throws SQLException {
		FlowResult flow = flow(job("list"));
		Lease list = lease("list");
		OpenTransaction open = database.begin();
		open.jobs().succeed(this.worker, List.of(list));
		Future<String> addition = database.async(() -> {
			try {
				return String.valueOf(database.jobs().extend(list, false, job("page")));
			}
			catch (JobQueueException ex) {
				return ex.getMessage();
			}
		});
		database.awaitBlockedStatement();
		open.commit();
		assertThat(StoreDatabase.result(addition))
			.isEqualTo("Job " + list.jobId() + " cannot add jobs to its flow: it has succeeded");
		assertThat(this.flows.find(flow.id()).orElseThrow().jobs()).isOne();
	}

	@Test
	void aJobThatIsInNoFlowOrFailedOrIsBeingCancelledAddsNothing() {
		long single = database.enqueue(JobRequest.of("single"));
		assertRefused(lease("single"), "Job " + single + " cannot add jobs to its flow: it is not part of one");
		flow(job("fails"));
		Lease fails = lease("fails");
		database.jobs().outcomes().fail(this.worker, List.of(new Failure(fails, "error", null)));
		assertRefused(fails, "it has failed");
		FlowResult flow = flow(job("runs"));
		Lease runs = lease("runs");
		assertThat(this.flows.cancel(flow.id())).isOne();
		assertRefused(runs, "it is being cancelled");
	}

	@Test
	void cancellingAFlowIncludesWhatIsJustAdded() throws SQLException {
		FlowResult flow = flow(job("list"), job("report", "list"));
		Lease list = lease("list");
		OpenTransaction open = database.begin();
		open.jobs().extend(list, false, job("page"));
		Future<Integer> cancelled = database.async(() -> this.flows.cancel(flow.id()));
		database.awaitBlockedStatement();
		open.commit();
		assertThat(StoreDatabase.result(cancelled)).isEqualTo(3);
		assertThat(this.flows.find(flow.id()).orElseThrow().open()).isOne();
	}

	@Test
	void whatThereIsNotIsRefusedByName() {
		flow(job("list"), job("other"), job("report", "other"));
		Lease list = leases().get("list");
		assertThatIllegalArgumentException().isThrownBy(() -> database.jobs().extend(list, false, job("page", "x")))
			.withMessageContaining("no job 'x'");
		assertThatIllegalArgumentException()
			.isThrownBy(() -> database.jobs().extend(list, false, before(job("page"), "report")))
			.withMessageContaining("'page' cannot run before 'report'");
	}

	@Test
	void jobsThatWouldWaitForEachOtherAreRefused() {
		flow(job("list"), job("report", "list"), job("mail", "report"));
		Lease list = lease("list");
		assertThatExceptionOfType(JobQueueException.class).isThrownBy(() -> {
			try (OpenTransaction open = database.begin()) {
				open.jobs()
					.extend(list, false, before(job("page"), "report"), job("note", "mail"),
							before(job("last", "note"), "report"));
			}
		}).withMessage("job 'note' would run after itself");
		FlowResult added = database.jobs()
			.extend(list, false, before(job("page"), "report"), job("note", "mail"))
			.result();
		assertThat(database.state(added.jobId("note"))).isEqualTo(JobState.BLOCKED);
	}

	@Test
	void aFailureOfAnAddedJobReachesTheJobsThatItWasPutBefore() {
		FlowResult flow = flow(job("list"), job("report", "list"));
		Lease list = lease("list");
		database.jobs().extend(list, true, job("page"));
		succeed(list);
		database.jobs().outcomes().fail(this.worker, List.of(new Failure(lease("page"), "error", null)));
		assertThat(database.state(flow.jobId("report"))).isEqualTo(JobState.FAILED);
		assertThat(this.flows.retry(flow.id())).isOne();
		assertThat(database.state(flow.jobId("report"))).isEqualTo(JobState.BLOCKED);
		succeed(lease("page"));
		assertThat(database.state(flow.jobId("report"))).isEqualTo(JobState.QUEUED);
	}

	private void assertRefused(Lease adder, String message) {
		assertThatExceptionOfType(JobQueueException.class)
			.isThrownBy(() -> database.jobs().extend(adder, false, job("more")))
			.withMessageContaining(message);
	}

	private static FlowResult flow(NewFlowJob... jobs) {
		return database.jobs().enqueue("flow", List.of(jobs));
	}

	private static NewFlowJob job(String name, String... after) {
		return new NewFlowJob(name, NewJobs.of(JobRequest.of(name), null), Set.of(after), Set.of());
	}

	private static NewFlowJob before(NewFlowJob job, String... before) {
		return new NewFlowJob(job.name(), job.job(), job.after(), Set.of(before));
	}

	private Map<String, Lease> leases() {
		Map<String, Lease> leases = new HashMap<>();
		database.claim(this.worker, 100).forEach((job) -> leases.put(job.type(), job.lease()));
		return leases;
	}

	/** Leases one job, and leaves the others as they are. */
	private Lease lease(String name) {
		List<ClaimedJob> others = new ArrayList<>(database.claim(this.worker, 100));
		ClaimedJob job = others.stream().filter((each) -> each.type().equals(name)).findFirst().orElseThrow();
		others.remove(job);
		others.forEach((each) -> release(each.lease()));
		return job.lease();
	}

	private void release(Lease lease) {
		database.execute("update {schema}.job set state = 'queued', worker_id = null where id = " + lease.jobId());
	}

	private void succeed(Lease lease) {
		assertThat(database.jobs().succeed(this.worker, List.of(lease))).containsExactly(lease.jobId());
	}

	private FlowState state(FlowResult flow) {
		return this.flows.find(flow.id()).orElseThrow().state();
	}

	private List<String> after(FlowResult flow, String name) {
		return this.flows.jobs(flow.id())
			.stream()
			.filter((job) -> job.name().equals(name))
			.findFirst()
			.orElseThrow()
			.after();
	}

}

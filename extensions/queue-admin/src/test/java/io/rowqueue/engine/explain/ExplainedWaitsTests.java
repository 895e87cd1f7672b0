package io.rowqueue.engine.explain;

import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

import io.rowqueue.JobRequest;
import io.rowqueue.admin.Explanation;
import io.rowqueue.admin.JobAdmin;
import io.rowqueue.admin.JobView;
import io.rowqueue.admin.Verdict;
import io.rowqueue.admin.filter.JobFilter;

import io.rowqueue.engine.job.NewFlowJob;
import io.rowqueue.engine.lease.Failure;
import io.rowqueue.engine.lease.Lease;
import io.rowqueue.engine.limit.AdmissionStore;
import io.rowqueue.engine.maintenance.ExpireTask;
import io.rowqueue.engine.search.JobSearchStore;
import io.rowqueue.flow.Batch.Event;
import io.rowqueue.flow.FlowResult;
import io.rowqueue.flow.WhenFailed;
import io.rowqueue.limit.Limit;
import io.rowqueue.limit.LimitKind;
import io.rowqueue.testing.Administration;
import io.rowqueue.testing.NewJobs;
import io.rowqueue.testing.StoreDatabase;
import io.rowqueue.testing.WorkerIdentities;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

/** What explain says of jobs that wait for others or for room, or have expired. */
class ExplainedWaitsTests {

	@RegisterExtension
	static final StoreDatabase database = new StoreDatabase();

	private final JobAdmin admin = Administration.of(database);

	private final long worker = database.worker();

	@Test
	void explainNamesTheJobThatIsWaitedFor() {
		FlowResult flow = chain();
		Explanation explanation = this.admin.explain(flow.jobId("b"));
		assertThat(explanation.verdict()).isEqualTo(Verdict.WAITS_FOR_JOBS);
		assertThat(explanation.summary()).isEqualTo("It waits for job " + flow.jobId("a") + " (a, queued).");
		assertThat(explanation.facts()).containsEntry("behind", flow.jobId("a"))
			.containsEntry("behindJobs", 1)
			.containsEntry("state", "blocked");
	}

	@Test
	void explainNamesOneThatFailedBeforeOthers() {
		long a = database.enqueue(JobRequest.of("a"));
		Lease failing = database.lease(this.worker, "b");
		database.jobs().outcomes().fail(this.worker, List.of(new Failure(failing, "error", null)));
		long c = database.enqueue(JobRequest.of("c").after(a, failing.jobId()).whenFailed(WhenFailed.WAIT));
		assertThat(this.admin.explain(c).summary()).startsWith("It waits for job " + failing.jobId()
				+ " (b, failed) and 1 other. Fix the cause of its failure and retry it");
	}

	@Test
	void explainReportsTheProgressOfTheBatch() {
		long batch = database.jobs()
			.batches()
			.create("import", true, List.of(Event.FINISH), List.of(NewJobs.of(JobRequest.of("done"), null)));
		database.jobs().batches().add(batch, List.of(NewJobs.of(JobRequest.of("row"), null)));
		long callback = database.query("select job_id from {schema}.batch_callback", Long.class);
		Explanation explanation = this.admin.explain(callback);
		assertThat(explanation.verdict()).isEqualTo(Verdict.WAITS_FOR_BATCH);
		assertThat(explanation.summary()).isEqualTo("It waits for batch " + batch
				+ " (import), which has not been closed; 1 of its 1 jobs have not finished.");
	}

	@Test
	void explainNamesWhatHoldsTheUnitsOfALimitKey() {
		AdmissionStore admission = database.jobs().admission();
		database.jobs().limits().set(LimitKind.KEY, "api", Limit.concurrency(5), true);
		long running = database.enqueue(JobRequest.of("type").limitKey("api:mail", 3));
		admission.admitDue();
		database.claimOne(this.worker);
		long heavy = database.enqueue(JobRequest.of("type").limitKey("api:mail", 4));
		long light = database.enqueue(JobRequest.of("type").limitKey("api:mail"));
		admission.admitDue();
		assertThat(facts(light)).extracting(LimitFacts::isReached, LimitFacts::units, LimitFacts::next)
			.containsExactly(tuple(false, 1, heavy));
		assertThat(facts(heavy)).extracting(LimitFacts::isReached, LimitFacts::units, LimitFacts::heldBy)
			.containsExactly(tuple(true, 4, List.of(running)));
	}

	@Test
	void anExpiredJobSaysSo() {
		Instant past = database.now().minusSeconds(1);
		long id = database.jobs()
			.enqueue(List.of(NewJobs.of(JobRequest.of("type").expiresAt(past), null, null,
					"{\"expires-at\": \"" + past + "\"}")))
			.get(0)
			.id();
		new ExpireTask(database.maintenance(), (queue, type) -> {
		}).run();
		Explanation explanation = this.admin.explain(id);
		assertThat(explanation.verdict()).isEqualTo(Verdict.CANCELLED);
		assertThat(explanation.summary()).contains("expired");
	}

	@Test
	void aJobShowsItsMaximumAttemptsWhateverSetsThem() {
		long own = database.enqueue(JobRequest.of("imports").maxAttempts(7));
		long ofItsType = database.enqueue(JobRequest.of("imports"));
		long unknown = database.enqueue(JobRequest.of("of no worker"));
		database.workers()
			.register(WorkerIdentities.of("deployed", List.of("*"), List.of("imports"), Map.of("imports", 3), Map.of(),
					Map.of()));
		assertThat(new JobSearchStore(database.queueDatabase()).find(JobFilter.ALL, null, 10).jobs())
			.extracting(JobView::id, JobView::maxAttempts)
			.contains(tuple(own, 7), tuple(ofItsType, 3), tuple(unknown, null));
		assertThat(List.of(own, ofItsType, unknown))
			.extracting((id) -> this.admin.explain(id).facts().get("maxAttempts"))
			.containsExactly(7, 3, null);
	}

	private static List<LimitFacts> facts(long id) {
		return new LimitFactsStatement(database.queueDatabase()).execute(id);
	}

	private static FlowResult chain() {
		return database.jobs().enqueue("flow", List.of(flowJob("a"), flowJob("b", "a"), flowJob("c", "b")));
	}

	private static NewFlowJob flowJob(String name, String... after) {
		return new NewFlowJob(name, NewJobs.of(JobRequest.of(name), null), new LinkedHashSet<>(List.of(after)),
				Set.of());
	}

}

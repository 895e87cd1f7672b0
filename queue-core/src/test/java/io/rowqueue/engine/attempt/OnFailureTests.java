package io.rowqueue.engine.attempt;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.CopyOnWriteArrayList;

import io.rowqueue.DuplicatePolicy;
import io.rowqueue.FailJobException;
import io.rowqueue.JobContext;
import io.rowqueue.JobRequest;
import io.rowqueue.JobState;
import io.rowqueue.JobType;
import io.rowqueue.control.JobControl;
import io.rowqueue.engine.history.CleanupStore;
import io.rowqueue.flow.Flow;
import io.rowqueue.testing.Engine;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.tuple;
import static org.awaitility.Awaitility.await;

/** Jobs that are enqueued in the transaction in which others fail permanently. */
class OnFailureTests {

	@AutoClose
	private final Engine engine = new Engine();

	private final JobControl control = this.engine.control();

	private final JobRequest failing = JobRequest.of("failing", "order 42")
		.onFailure(JobRequest.of("refund", "order 42").queue("money").tags("order:42").header("tenant", "blue"));

	private final List<OptionalLong> refunded = new CopyOnWriteArrayList<>();

	@Test
	void aJobThatFailsPermanentlyEnqueuesAnother() {
		long id = this.engine.enqueue(this.failing);
		start();
		this.engine.awaitState(id, JobState.FAILED);
		awaitRefunds(1);
		assertThat(this.refunded).containsExactly(OptionalLong.of(id));
		assertThat(this.engine.number("select count(*) from rowqueue.job_tag t"
				+ " join (select id, type, queue from rowqueue.job union all"
				+ " select id, type, queue from rowqueue.job_finished) j on j.id = t.job_id"
				+ " where (t.name, t.value) in (('', 'order:42'), ('tenant', 'blue')) and j.type = 'refund' and j.queue = 'money'"))
			.isEqualTo(2);
	}

	@Test
	void aRetriedAttemptEnqueuesNothing() {
		long id = this.engine.enqueue(this.failing.delay(Duration.ZERO).maxAttempts(3));
		this.engine.process().handle("failing", (payload, context) -> {
			if (context.attempt() < 3) {
				throw new IllegalStateException("fails twice");
			}
		}).start();
		this.engine.awaitState(id, JobState.SUCCEEDED);
		assertThat(refunds()).isZero();
		CleanupStore cleanup = new CleanupStore(this.engine.queueDatabase());
		assertThat(cleanup.deleteOfJobs("job_on_failure", 0, 10).deleted()).isTrue();
		assertThat(this.engine.count("job_on_failure")).isZero();
	}

	@Test
	void aRetriedJobThatFailsAgainEnqueuesAnother() {
		long id = this.engine.enqueue(this.failing);
		start();
		awaitRefunds(1);
		this.control.retry(id);
		awaitRefunds(2);
		assertThat(new CleanupStore(this.engine.queueDatabase()).deleteOfJobs("job_on_failure", 0, 10).deleted())
			.isFalse();
		assertThat(this.engine.count("job_on_failure")).as("it may fail once more").isOne();
	}

	@Test
	void aCancelledJobEnqueuesNothing() {
		long id = this.engine.enqueue(this.failing);
		this.control.cancel(id);
		assertThat(this.engine.jobs()).isZero();
	}

	@Test
	void aJobWhosePredecessorFailsEnqueuesAnother() {
		long predecessor = this.engine.enqueue(JobRequest.of("failing"));
		long id = this.engine.enqueue(this.failing.after(predecessor));
		start();
		this.engine.awaitState(id, JobState.FAILED);
		awaitRefunds(1);
		assertThat(this.refunded).containsExactly(OptionalLong.of(id));
	}

	@Test
	void aJobOfAFlowEnqueuesAnother() {
		this.engine.queue()
			.enqueue(Flow.named("checkout").job("pay", this.failing).job("ship", JobRequest.of("ship")).after("pay"));
		start();
		awaitRefunds(1);
	}

	@Test
	void aJobWhoseProcessDiesInItsLastAttemptEnqueuesAnother() {
		long id = this.engine.enqueue(this.failing.maxAttempts(1));
		long worker = this.engine.number("insert into rowqueue.worker (name, queues, types, slots, dead_at)"
				+ " values ('dead', '{*}', '{failing}', '{}', now()) returning id");
		this.engine.jdbc()
			.update("update rowqueue.job set state = 'running', worker_id = ?, attempt = 1, lease = 1, leased_at = now() where id = ?",
					worker, id);
		this.engine.jdbc()
			.update("insert into rowqueue.claim (worker_id, job_ids) values (?, array[?::bigint])", worker, id);
		start();
		this.engine.awaitState(id, JobState.FAILED);
		awaitRefunds(1);
	}

	@Test
	void aFollowUpAndALimitedJobEnqueueAnother() {
		JobRequest keyed = this.failing.uniqueKey("key").duplicates(DuplicatePolicy.replace());
		this.engine.enqueue(JobRequest.of("failing").uniqueKey("key"));
		this.engine.enqueue(keyed); // replaces the job, which has onFailure now
		this.engine.enqueue(this.failing.limitKey("limit"));
		start();
		awaitRefunds(2);
	}

	@Test
	void aReplacedJobHasTheConsequenceOfItsLatestRequest() {
		JobRequest keyed = this.failing.uniqueKey("key").duplicates(DuplicatePolicy.replace());
		long id = this.engine.enqueue(keyed);
		this.engine.enqueue(JobRequest.of("failing").uniqueKey("key").duplicates(DuplicatePolicy.replace()));
		start();
		this.engine.awaitState(id, JobState.FAILED);
		assertThat(refunds()).isZero();
	}

	@Test
	void aTypeHasADefault() {
		JobType<String> type = JobType.of("failing", String.class)
			.onFailure((order) -> JobRequest.of("refund", order).expiresIn(Duration.ofHours(1)));
		this.engine.enqueue(type.request("order 1"));
		start();
		awaitRefunds(1);
		assertThat(this.engine.count("job_expiry")).isOne();
	}

	@Test
	void whatWouldDelayTheEndOfAJobIsRefused() {
		JobRequest plain = JobRequest.of("type");
		assertThatIllegalArgumentException().isThrownBy(() -> plain.onFailure(plain.uniqueKey("key")))
			.withMessageContaining("unique key");
		assertThatIllegalArgumentException().isThrownBy(() -> plain.onFailure(plain.after(1)));
		assertThatIllegalArgumentException().isThrownBy(() -> plain.onFailure(plain.onFailure(plain)));
		assertThatIllegalArgumentException()
			.isThrownBy(() -> plain.onFailure(plain.expiresAt(Instant.parse("2030-01-01T00:00:00Z"))));
	}

	private void start() {
		this.engine.process().withMaintenance().handle("failing", (payload, context) -> {
			throw new FailJobException("permanently");
		}).handle("refund", (payload, context) -> refund(context)).start();
	}

	private void refund(JobContext context) {
		this.refunded.add(context.failedJobId());
	}

	private void awaitRefunds(int max) {
		await().until(() -> this.refunded.size() == max);
		assertThat(refunds()).isLessThanOrEqualTo(max);
	}

	private long refunds() {
		return this.engine.number("select (select count(*) from rowqueue.job where type = 'refund')"
				+ " + (select count(*) from rowqueue.job_finished where type = 'refund')");
	}

}

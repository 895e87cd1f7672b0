package io.rowqueue.engine.maintenance;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

import io.rowqueue.FailJobException;
import io.rowqueue.JobContext;
import io.rowqueue.JobRequest;
import io.rowqueue.JobState;
import io.rowqueue.SnoozeJobException;
import io.rowqueue.engine.support.Expiry;
import io.rowqueue.testing.Engine;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** What a worker does about jobs that expire, and what a handler sees of its request. */
class ExpiringJobsTests {

	@AutoClose
	private final Engine engine = new Engine();

	@Test
	void aJobThatHasExpiredIsNotRun() {
		AtomicInteger runs = new AtomicInteger();
		long id = this.engine.enqueue(JobRequest.of("late").expiresIn(Duration.ZERO));
		this.engine.process().handle("late", (payload, context) -> runs.incrementAndGet()).start();
		assertThat(this.engine.awaitState(id, JobState.CANCELLED).lastError()).isEqualTo(Expiry.REASON);
		assertThat(runs).hasValue(0);
		assertThat(this.engine.failures(id)).isEmpty();
	}

	@Test
	void aRetryDoesNotExpire() {
		AtomicInteger runs = new AtomicInteger();
		long id = this.engine.enqueue(JobRequest.of("again").expiresIn(Duration.ofDays(1)));
		this.engine.process().handle("again", (payload, context) -> {
			if (runs.incrementAndGet() == 1) {
				this.engine.jdbc()
					.update("update rowqueue.job set headers = '{\"expires-at\": \"2020-01-01T00:00:00Z\"}' where id = ?",
							id);
				throw new IllegalStateException("fails once");
			}
		}).start();
		this.engine.awaitState(id, JobState.SUCCEEDED);
		assertThat(runs).hasValue(2);
	}

	@Test
	void aJobThatItsHandlerHasPostponedDoesNotExpire() {
		AtomicInteger runs = new AtomicInteger();
		long id = this.engine.enqueue(JobRequest.of("later").expiresIn(Duration.ofDays(1)));
		this.engine.process().handle("later", (payload, context) -> {
			if (runs.incrementAndGet() == 1) {
				expire(id);
				throw SnoozeJobException.by(Duration.ofDays(1), "not yet");
			}
		}).start();
		assertThat(this.engine.awaitState(id, JobState.SCHEDULED).attempt()).isZero();
		new ExpireTask(new MaintenanceStore(this.engine.queueDatabase()), (queue, type) -> {
		}).run();
		assertThat(this.engine.job(id).state()).as("while it waits").isEqualTo(JobState.SCHEDULED);
		this.engine.control().reschedule(id, Duration.ZERO);
		this.engine.awaitState(id, JobState.SUCCEEDED);
		assertThat(runs).hasValue(2);
	}

	@Test
	void aJobThatWaitsForASignalDoesNotExpire() {
		long id = this.engine.enqueue(JobRequest.of("approval").expiresIn(Duration.ofDays(1)));
		this.engine.process().withMaintenance().handle("approval", (payload, context) -> {
			expire(id);
			context.awaitSignal("approved", Duration.ofDays(3));
		}).start();
		this.engine.awaitState(id, JobState.SCHEDULED);
		this.engine.queue().signal(id, "approved", null);
		this.engine.awaitState(id, JobState.SUCCEEDED);
	}

	@Test
	void aFailedJobThatIsRetriedManuallyDoesNotExpire() {
		AtomicInteger runs = new AtomicInteger();
		long id = this.engine.enqueue(JobRequest.of("failing").expiresIn(Duration.ofDays(1)));
		this.engine.process().handle("failing", (payload, context) -> {
			if (runs.incrementAndGet() == 1) {
				expire(id);
				throw new FailJobException("not now");
			}
		}).start();
		this.engine.awaitState(id, JobState.FAILED);
		this.engine.control().retry(id);
		this.engine.awaitState(id, JobState.SUCCEEDED);
		assertThat(runs).hasValue(2);
	}

	/** A release that costs no attempt is not a beginning. */
	@Test
	void aJobThatWasReleasedBeforeItBeganExpires() {
		AtomicInteger runs = new AtomicInteger();
		long id = this.engine.enqueue(JobRequest.of("late").expiresIn(Duration.ZERO));
		this.engine.jdbc().update("update rowqueue.job set lease = 1 where id = ?", id);
		this.engine.process().handle("late", (payload, context) -> runs.incrementAndGet()).start();
		this.engine.awaitState(id, JobState.CANCELLED);
		assertThat(runs).hasValue(0);
	}

	/** Lets the time pass. */
	private void expire(long id) {
		this.engine.jdbc()
			.update("update rowqueue.job set headers = '{\"expires-at\": \"2020-01-01T00:00:00Z\"}' where id = ?", id);
		this.engine.jdbc().update("update rowqueue.job_expiry set expires_at = '2020-01-01' where job_id = ?", id);
	}

	@Test
	void aHandlerSeesTheTagsAndHeadersOfItsRequest() {
		AtomicReference<JobContext> seen = new AtomicReference<>();
		this.engine.process().handle("tagged", (payload, context) -> seen.set(context)).start();
		Instant tomorrow = this.engine.queueDatabase().now().plus(Duration.ofDays(1));
		long id = this.engine.enqueue(JobRequest.of("tagged")
			.tags("customer:42", "eine Rechnung")
			.header("tenant", "blue")
			.expiresAt(tomorrow));
		this.engine.awaitState(id, JobState.SUCCEEDED);
		assertThat(seen.get().tags()).containsExactly("customer:42", "eine Rechnung");
		assertThat(seen.get().headers()).containsEntry("tenant", "blue");
		assertThat(seen.get().expiresAt()).isEqualTo(tomorrow);
	}

	@Test
	void otherJobsHaveNothingMore() {
		AtomicReference<JobContext> seen = new AtomicReference<>();
		this.engine.process().handle("plain", (payload, context) -> seen.set(context)).start();
		this.engine.awaitState(this.engine.enqueue("plain"), JobState.SUCCEEDED);
		assertThat(seen.get().tags()).isEqualTo(Set.of());
		assertThat(seen.get().expiresAt()).isNull();
		for (String table : List.of("job_expiry", "job_tag", "cancel_request")) {
			assertThat(this.engine.count(table)).isZero();
		}
	}

}

package io.rowqueue.engine.limit;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;

import io.rowqueue.FailJobException;
import io.rowqueue.JobRequest;
import io.rowqueue.JobState;
import io.rowqueue.control.RetryResult;
import io.rowqueue.engine.maintenance.MaintenanceStore;
import io.rowqueue.engine.worker.ListenerSettings;
import io.rowqueue.flow.Flow;
import io.rowqueue.flow.WhenFailed;
import io.rowqueue.testing.Engine;
import io.rowqueue.testing.TestProcess;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Jobs with limit keys are admitted at once, whatever made them due: there is no
 * maintenance, and workers poll once a day.
 */
class WakingWithLimitKeysTests {

	@AutoClose
	private final Engine engine = new Engine();

	@Test
	void theFirstJobsOfAFlow() {
		start();
		Flow flow = Flow.named("flow").job("first", limited()).job("second", limited()).after("first");
		long last = this.engine.queue().enqueue(flow).jobId("second");
		this.engine.awaitState(last, JobState.SUCCEEDED);
	}

	@Test
	void aJobThatIsRetriedManually() {
		AtomicBoolean fails = new AtomicBoolean(true);
		this.engine.process().withoutPolling().handle("test", (payload, context) -> {
			if (fails.getAndSet(false)) {
				throw new FailJobException("once");
			}
		}).startAndListen();
		long id = this.engine.enqueue(limited());
		this.engine.awaitState(id, JobState.FAILED);
		assertThat(this.engine.control().retry(id)).isEqualTo(RetryResult.SCHEDULED);
		this.engine.awaitState(id, JobState.SUCCEEDED);
	}

	@Test
	void aJobThatIsRescheduledToNow() {
		start();
		long id = this.engine.enqueue(limited().delay(Duration.ofDays(1)));
		assertThat(this.engine.control().reschedule(id, Duration.ZERO)).isTrue();
		this.engine.awaitState(id, JobState.SUCCEEDED);
	}

	@Test
	void theSuccessorOfAJobThatFailedInAnotherProcess() throws InterruptedException {
		CountDownLatch begun = new CountDownLatch(1);
		CountDownLatch dependsOnIt = new CountDownLatch(1);
		TestProcess other = this.engine.process()
			.withoutPolling()
			.listener(ListenerSettings.of(false, null))
			.handle("fails", (payload, context) -> {
				begun.countDown();
				dependsOnIt.await();
				throw new FailJobException("as planned");
			})
			.startAndListen();
		start();
		long failing = other.queue().enqueue("fails", null).id();
		begun.await(); // a claim passes over a job that maintenance has locked
		long successor = enqueueAfter(failing);
		dependsOnIt.countDown();
		this.engine.awaitState(failing, JobState.FAILED);
		this.engine.awaitState(successor, JobState.SUCCEEDED);
	}

	@Test
	void theSuccessorOfACancelledJob() {
		start();
		long cancelled = this.engine.enqueue(JobRequest.of("test").delay(Duration.ofDays(1)));
		long successor = enqueueAfter(cancelled);
		this.engine.control().cancel(cancelled);
		this.engine.awaitState(successor, JobState.SUCCEEDED);
	}

	/**
	 * With the delay, the enqueue wakes no worker. The end of a job looks for its
	 * successors only once maintenance has marked it as their predecessor, which it
	 * leaves for the next time while the job is locked, as it is by its claim.
	 */
	private long enqueueAfter(long predecessor) {
		long id = this.engine
			.enqueue(limited().delay(Duration.ofNanos(1000)).after(predecessor).whenFailed(WhenFailed.RUN));
		MaintenanceStore maintenance = new MaintenanceStore(this.engine.queueDatabase());
		await().until(() -> {
			maintenance.settleDependencies(1);
			return this.engine.count("job_dependency where unsure") == 0;
		});
		return id;
	}

	private static JobRequest limited() {
		return JobRequest.of("test").limitKey("key");
	}

	private void start() {
		this.engine.process().withoutPolling().handle("test", (payload, context) -> {
		}).startAndListen();
	}

}

package io.rowqueue.engine.attempt;

import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

import io.rowqueue.JobContext;
import io.rowqueue.JobProgress;
import io.rowqueue.JobRequest;
import io.rowqueue.JobState;
import io.rowqueue.control.CancelResult;
import io.rowqueue.control.JobControl;
import io.rowqueue.engine.listen.StoreListener;
import io.rowqueue.listen.AttemptEnd;
import io.rowqueue.listen.JobListener;
import io.rowqueue.testing.Engine;
import io.rowqueue.testing.TestHooks;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** How a worker handles jobs that are cancelled or paused. */
class CancelledJobsTests {

	@AutoClose
	private final Engine engine = new Engine();

	private final JobControl control = this.engine.control();

	private final CountDownLatch started = new CountDownLatch(1);

	private final CountDownLatch never = new CountDownLatch(1);

	@Test
	void aRunningJobIsInterruptedAndEndsAsCancelled() throws Exception {
		AtomicBoolean asked = new AtomicBoolean();
		this.engine.process().handle("long", (payload, context) -> {
			this.started.countDown();
			try {
				this.never.await();
			}
			finally {
				asked.set(context.stopRequested());
			}
		}).start();
		long id = this.engine.enqueue("long");
		this.started.await();
		assertThat(this.control.cancel(id)).isEqualTo(CancelResult.REQUESTED);
		this.engine.awaitState(id, JobState.CANCELLED);
		assertThat(asked).as("the handler can see why it is interrupted").isTrue();
		assertThat(this.engine.failures(id)).as("it did not fail").isEmpty();
		assertThat(this.engine.job(id).finishedAt()).isNotNull();
	}

	/** Before its worker knows of the cancellation. */
	@Test
	void aJobThatFailsForTheLastTimeWhileItIsCancelledIsCancelled() throws Exception {
		AtomicInteger alarms = new AtomicInteger();
		AtomicInteger failures = new AtomicInteger();
		JobListener listener = new JobListener() {

			@Override
			public void failed(JobContext job, AttemptEnd end) {
				failures.incrementAndGet();
			}

		};
		WorkerHooks hooks = TestHooks.of(List.of(), listener, StoreListener.NONE);
		this.engine.process().maxAttempts(1).hooks(hooks).handle("order", (payload, context) -> {
			this.control.cancel(context.id());
			throw new IllegalStateException("The order does not exist any more");
		}).handle("alarm", (payload, context) -> alarms.incrementAndGet()).withMaintenance().start();
		long id = this.engine.enqueue(JobRequest.of("order").onFailure(JobRequest.of("alarm")));
		this.engine.awaitState(id, JobState.CANCELLED);
		assertThat(this.engine.failures(id)).as("what the attempt met").hasSize(1);
		assertThat(this.engine.jobs()).as("an alarm").isZero();
		assertThat(failures).hasValue(0);
		assertThat(alarms).hasValue(0);
	}

	@Test
	void aHandlerThatFinishesAllTheSameHasSucceeded() throws Exception {
		this.engine.process().handle("stubborn", (payload, context) -> {
			this.started.countDown();
			boolean interrupted = false;
			while (!interrupted) {
				try {
					this.never.await();
				}
				catch (InterruptedException ex) {
					interrupted = true;
				}
			}
		}).start();
		long id = this.engine.enqueue("stubborn");
		this.started.await();
		this.control.cancel(id);
		this.engine.awaitState(id, JobState.SUCCEEDED);
	}

	@Test
	void aJobThatWaitsForASlotNeverBegins() throws Exception {
		AtomicInteger runs = new AtomicInteger();
		CountDownLatch free = new CountDownLatch(1);
		this.engine.process().concurrency(1).prefetchWait(Duration.ofHours(1)).handle("short", (payload, context) -> {
		}).handle("long", (payload, context) -> {
			this.started.countDown();
			for (int done = 0; !free.await(10, TimeUnit.MILLISECONDS); done++) {
				context.progress(done, 0, null);
			}
		}).handle("next", (payload, context) -> runs.incrementAndGet()).start();
		// fast jobs teach the worker to prefetch
		this.engine.queue().enqueueAll(Collections.nCopies(50, JobRequest.of("short")));
		this.engine.awaitAllOver();
		long running = this.engine.enqueue(JobRequest.of("long").priority(1));
		this.started.await();
		long next = this.engine.enqueue("next");
		this.engine.awaitState(next, JobState.STARTING);
		assertThat(this.control.cancel(next)).isEqualTo(CancelResult.REQUESTED);
		awaitHeartbeat();
		awaitHeartbeat(); // the reporter has received the one before
		awaitProgress(running);
		awaitProgress(running); // the one before may have been written before that
		free.countDown();
		this.engine.awaitState(next, JobState.CANCELLED);
		assertThat(runs).hasValue(0);
	}

	@Test
	void aJobThatAnotherWorkerWasToCancelIsNotRun() {
		AtomicInteger runs = new AtomicInteger();
		long id = this.engine.enqueue("orphan");
		this.engine.jdbc().update("update rowqueue.job set cancel_requested = true where id = ?", id);
		this.engine.process().handle("orphan", (payload, context) -> runs.incrementAndGet()).start();
		this.engine.awaitState(id, JobState.CANCELLED);
		assertThat(runs).hasValue(0);
	}

	@Test
	void aResumedQueueIsWorkedOnAtOnce() {
		this.control.pauseQueue("default", null);
		long id = this.engine.enqueue("short");
		this.engine.process().withoutPolling().handle("short", (payload, context) -> {
		}).startAndListen();
		assertThat(this.engine.job(id).state()).isEqualTo(JobState.QUEUED);
		this.control.resumeQueue("default");
		this.engine.awaitState(id, JobState.SUCCEEDED);
	}

	private void awaitProgress(long id) {
		JobProgress before = this.engine.job(id).progress();
		await().until(() -> !Objects.equals(this.engine.job(id).progress(), before));
	}

	private void awaitHeartbeat() {
		String heartbeats = "select max(extract(epoch from heartbeat_at) * 1000000)::bigint from rowqueue.worker";
		long before = this.engine.number(heartbeats);
		await().until(() -> this.engine.number(heartbeats) > before);
	}

}

package io.rowqueue.engine.signal;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;

import io.rowqueue.JobContext;
import io.rowqueue.JobState;
import io.rowqueue.SnoozeJobException;
import io.rowqueue.engine.maintenance.MaintenanceStore;
import io.rowqueue.step.SignalResult;
import io.rowqueue.testing.Async;
import io.rowqueue.testing.Engine;
import io.rowqueue.testing.OpenTransaction;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Signals that meet the look for them, the beginning of the wait or its end. Each test
 * holds one of the two back until the other has come as far as it is to come;
 * {@link RandomSignalTests} leaves the same to chance.
 */
class SignalRaceTests {

	private static final Duration LONG = Duration.ofHours(3);

	@AutoClose
	private final Engine engine = new Engine();

	private final AtomicInteger looks = new AtomicInteger();

	private final CountDownLatch calledAgain = new CountDownLatch(1);

	private final CountDownLatch sent = new CountDownLatch(1);

	private final List<Boolean> answers = Collections.synchronizedList(new ArrayList<>());

	@Test
	void aSignalBetweenTheLookAndTheWaitResumesTheJobWithoutMaintenance() {
		this.engine.process()
			.handle("order",
					(payload, context) -> lookAndThen(context, LONG,
							() -> assertThat(this.engine.queue().signal(context.id(), "approval", null))
								.isEqualTo(SignalResult.STORED)))
			.startAndListen();
		this.engine.awaitState(this.engine.enqueue("order"), JobState.SUCCEEDED);
		assertThat(this.answers).containsExactly(true);
	}

	/** It waits for the lock for 200 ms only, and later tries leave the job out. */
	@Test
	void aSignalThatIsCommittedWhileTheStatementOfTheWaitIsUnderWayIsNotLost() throws Exception {
		Semaphore looked = new Semaphore(0);
		Semaphore locked = new Semaphore(0);
		this.engine.process().withMaintenance().handle("order", (payload, context) -> lookAndThen(context, LONG, () -> {
			looked.release();
			locked.acquire();
		})).startAndListen();
		boolean seen = false;
		while (!seen) { // a busy machine may look at the wrong moments
			this.answers.clear();
			long id = this.engine.enqueue("order");
			looked.acquire();
			try (OpenTransaction lock = this.engine.lock(id)) {
				CompletableFuture<Boolean> blocked = Async
					.supply(() -> hasBeenBlocked("with attempt as materialized%"));
				locked.release();
				seen = blocked.get();
				this.engine.queue().signal(id, "approval", null);
				new MaintenanceStore(this.engine.queueDatabase()).resumeSignalled(100);
				lock.commit();
			}
			this.engine.awaitState(id, JobState.SUCCEEDED);
			assertThat(this.answers).containsExactly(true);
		}
	}

	@Test
	void aSignalResumesAJobThatWasCalledBeforeItsTimeAndWaitsAgain() {
		this.engine.process().withMaintenance().handle("order", (payload, context) -> lookAndThen(context, LONG, () -> {
		})).startAndListen();
		long id = this.engine.enqueue("order");
		awaitWaiting(id, 1);
		this.engine.control().reschedule(id, Duration.ZERO);
		awaitWaiting(id, 2);
		this.engine.queue().signal(id, "approval", null);
		this.engine.awaitState(id, JobState.SUCCEEDED);
		assertThat(this.answers).containsExactly(true);
	}

	@Test
	void aSignalThatIsCommittedWhileItsWaitTimesOutIsReceived() throws Exception {
		long id = enqueueWithShortWait((context) -> context.awaitSignal("approval", LONG));
		try (OpenTransaction sender = this.engine.begin()) {
			this.calledAgain.await();
			assertThat(sender.select("select rowqueue.signal(" + id + ", 'approval')")).isEqualTo("stored");
			this.sent.countDown();
			awaitBlocked("insert into%job_signal%timed_out%");
			sender.commit();
		}
		this.engine.awaitState(id, JobState.SUCCEEDED);
		assertThat(this.answers).containsExactly(true, true);
	}

	@Test
	void aSignalThatIsRolledBackWhileItsWaitTimesOutDoesNotCome() throws Exception {
		long id = enqueueWithShortWait(
				(context) -> this.engine.queue().signal(context.id(), "approval", null) == SignalResult.STORED);
		try (OpenTransaction sender = this.engine.begin()) {
			this.calledAgain.await();
			sender.select("select rowqueue.signal(" + id + ", 'approval')");
			this.sent.countDown();
			awaitBlocked("insert into%job_signal%timed_out%");
			sender.rollback();
		}
		this.engine.awaitState(id, JobState.SUCCEEDED);
		assertThat(this.answers).as("not received, and the next one is too late").containsExactly(false, false);
	}

	/** Its handler is held back when it is called again because its wait is over. */
	private long enqueueWithShortWait(Answer afterwards) {
		this.engine.process().withMaintenance().handle("order", (payload, context) -> {
			if (this.looks.incrementAndGet() == 2) {
				this.calledAgain.countDown();
				this.sent.await();
			}
			this.answers.add(context.awaitSignal("approval", Duration.ofMillis(1)));
			this.answers.add(afterwards.of(context));
		}).startAndListen();
		return this.engine.enqueue("order");
	}

	private void lookAndThen(JobContext context, Duration timeout, Work work) throws Exception {
		try {
			this.looks.incrementAndGet();
			this.answers.add(context.awaitSignal("approval", timeout));
		}
		catch (SnoozeJobException ex) {
			work.run();
			throw ex;
		}
	}

	private void awaitWaiting(long id, int looks) {
		await().until(() -> this.looks.get() == looks && this.engine.job(id).state() == JobState.SCHEDULED);
	}

	/** Waits until a statement waits for a lock. */
	private void awaitBlocked(String statement) {
		await().pollInterval(Duration.ofMillis(2)).until(() -> this.engine.isBlocked(statement));
	}

	/** Returns false if it was not seen to wait within a few seconds. */
	private boolean hasBeenBlocked(String statement) {
		long end = System.nanoTime() + Duration.ofSeconds(5).toNanos();
		boolean blocked = this.engine.isBlocked(statement);
		while (!blocked && System.nanoTime() < end) {
			blocked = this.engine.isBlocked(statement);
		}
		return blocked;
	}

	private interface Answer {

		boolean of(JobContext context) throws Exception;

	}

	private interface Work {

		void run() throws Exception;

	}

}

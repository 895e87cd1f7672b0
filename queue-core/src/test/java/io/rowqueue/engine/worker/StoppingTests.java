package io.rowqueue.engine.worker;

import java.sql.Connection;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

import io.rowqueue.Job;
import io.rowqueue.JobContext;
import io.rowqueue.JobRequest;
import io.rowqueue.JobState;
import io.rowqueue.engine.wakeup.Arrivals;
import io.rowqueue.testing.Async;
import io.rowqueue.testing.Engine;
import io.rowqueue.testing.TestProcess;
import io.rowqueue.testing.WorkerThreads;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

class StoppingTests {

	@AutoClose
	private final Engine engine = new Engine();

	private final CountDownLatch running = new CountDownLatch(1);

	private final CountDownLatch release = new CountDownLatch(1);

	@Test
	void aRunningJobFinishesAndWaitingOnesGoBack() throws InterruptedException {
		AtomicReference<JobContext> seen = new AtomicReference<>();
		AtomicBoolean interrupted = new AtomicBoolean();
		List<Long> ids = enqueue(20);
		TestProcess process = this.engine.process().concurrency(1).handle("test", (payload, context) -> {
			if (context.id() < ids.get(9)) {
				return; // so that the worker learns to hold more than it runs
			}
			seen.set(context);
			this.running.countDown();
			try {
				this.release.await();
			}
			catch (InterruptedException ex) {
				interrupted.set(true);
			}
		}).start();
		this.running.await();
		CompletableFuture<Void> stop = Async.run(process::stop);
		await().until(() -> seen.get().stopRequested());
		await("waiting jobs go back at once").until(() -> this.engine.leased() == 1);
		this.release.countDown();
		stop.join();
		assertThat(interrupted).isFalse();
		assertThat(this.engine.job(ids.get(9)).state()).isEqualTo(JobState.SUCCEEDED);
		assertThat(ids.subList(10, 20)).allSatisfy(this::isUntouched);
		assertThatItHasSignedOff();
	}

	@Test
	void anInterruptedJobGoesBackWithoutCostingAnAttempt() throws InterruptedException {
		TestProcess process = this.engine.process()
			.shutdownTimeout(Duration.ZERO)
			.maxAttempts(1)
			.handle("test", (payload, context) -> {
				this.running.countDown();
				this.release.await();
			})
			.start();
		long id = this.engine.enqueue("test");
		this.running.await();
		process.stop();
		isUntouched(id);
		assertThatItHasSignedOff();
	}

	@Test
	void aJobThatWrapsItsInterruptGoesBackAsWell() throws InterruptedException {
		TestProcess process = this.engine.process()
			.shutdownTimeout(Duration.ZERO)
			.maxAttempts(1)
			.handle("test", (payload, context) -> {
				this.running.countDown();
				try {
					this.release.await();
				}
				catch (InterruptedException ex) {
					IllegalStateException circle = new IllegalStateException("in a circle");
					throw new IllegalStateException("interrupted", (IllegalStateException) circle
						.initCause(new IllegalStateException("of causes", new RuntimeException(ex))));
				}
			})
			.start();
		long id = this.engine.enqueue("test");
		this.running.await();
		process.stop();
		isUntouched(id);
	}

	@Test
	void aJobThatFailsOfItselfDuringTheShutdownHasFailed() throws InterruptedException {
		TestProcess process = this.engine.process().handle("test", (payload, context) -> {
			this.running.countDown();
			while (!context.stopRequested()) {
				Thread.onSpinWait();
			}
			IllegalStateException circle = new IllegalStateException("in a circle");
			circle.initCause(new IllegalStateException("of causes", circle));
			throw circle;
		}).start();
		long id = this.engine.enqueue("test");
		this.running.await();
		process.stop();
		assertThat(this.engine.job(id).attempt()).isEqualTo(1);
		assertThat(this.engine.failures(id)).hasSize(1);
		assertThatItHasSignedOff();
	}

	@Test
	void aJobDeafToTheInterruptIsHandedBack() throws InterruptedException {
		AtomicBoolean freed = new AtomicBoolean();
		CountDownLatch over = new CountDownLatch(1);
		TestProcess process = this.engine.process()
			.shutdownTimeout(Duration.ZERO)
			.maxAttempts(1)
			.handle("test", (payload, context) -> {
				this.running.countDown();
				while (!freed.get()) {
					Thread.onSpinWait();
				}
				over.countDown();
			})
			.start();
		long id = this.engine.enqueue("test");
		this.running.await();
		process.stop();
		isUntouched(id);
		assertThatItHasSignedOff();
		freed.set(true);
		over.await();
		isUntouched(id);
	}

	/** It may be what ends its process, each time. */
	@Test
	void aJobDeafToTheInterruptThatHasComeBackBeforeUsesAnAttempt() throws InterruptedException {
		TestProcess process = this.engine.process()
			.shutdownTimeout(Duration.ZERO)
			.maxAttempts(2)
			.handle("test", (payload, context) -> {
				this.running.countDown();
				boolean over = false;
				while (!over) {
					try {
						this.release.await();
						over = true;
					}
					catch (InterruptedException ex) {
						// deaf
					}
				}
			})
			.start();
		long id = this.engine.enqueue(JobRequest.of("test").delay(Duration.ofHours(1)));
		this.engine.jdbc().update("update rowqueue.job set lease = 1, state = 'queued' where id = ?", id);
		this.running.await();
		process.stop();
		this.release.countDown();
		assertThat(this.engine.job(id).state()).isEqualTo(JobState.QUEUED);
		assertThat(this.engine.job(id).attempt()).isOne();
		assertThat(this.engine.failures(id)).singleElement()
			.asString()
			.contains("did not answer the interrupt of the shutdown", "StoppingTests");
		assertThatItHasSignedOff();
	}

	@Test
	void heartbeatsContinueWhileJobsFinish() throws InterruptedException {
		AtomicReference<JobContext> seen = new AtomicReference<>();
		TestProcess process = this.engine.process()
			.shutdownTimeout(Duration.ofMinutes(5))
			.handle("test", (payload, context) -> {
				seen.set(context);
				this.running.countDown();
				this.release.await();
			})
			.start();
		long id = this.engine.enqueue("test");
		this.running.await();
		CompletableFuture<Void> stop = Async.run(process::stop);
		await().until(() -> seen.get().stopRequested());
		this.engine.jdbc().update("update rowqueue.worker set heartbeat_at = now() - interval '20 seconds'");
		await().until(() -> this.engine.count("worker where heartbeat_at > now() - interval '15 seconds'") == 1);
		this.release.countDown();
		stop.join();
		assertThat(this.engine.job(id).state()).isEqualTo(JobState.SUCCEEDED);
	}

	@Test
	void aClaimThatIsUnderWayIsWaitedForAndHandedBack() throws Exception {
		TestProcess process = this.engine.process().maxAttempts(1).handle("test", (payload, context) -> {
		}).start();
		this.engine.awaitState(this.engine.enqueue("test"), JobState.SUCCEEDED);
		long id;
		CompletableFuture<Void> stop;
		try (Connection connection = this.engine.dataSource().getConnection();
				Statement statement = connection.createStatement()) {
			connection.setAutoCommit(false);
			statement.execute("lock table rowqueue.job in exclusive mode");
			await("a claim waits for the lock").until(() -> {
				process.wakeUps().jobsArrived(Arrivals.of("default"));
				return this.engine.isBlocked("%");
			});
			statement.execute("insert into rowqueue.job (run_at, order_at, state, queue, type)"
					+ " values (now(), now(), 'queued', 'default', 'test')");
			id = this.engine.number("select last_value from rowqueue.job_id_seq");
			stop = Async.run(process::stop);
			CompletableFuture<Void> stopping = stop;
			await().pollDelay(Duration.ofMillis(300)).until(() -> !stopping.isDone());
			connection.commit();
		}
		stop.join();
		isUntouched(id);
		assertThatItHasSignedOff();
	}

	@Test
	void aWorkerEndsInTimeWhileTheDatabaseIsNotAvailable() throws InterruptedException {
		TestProcess process = this.engine.process()
			.shutdownTimeout(Duration.ZERO)
			.handle("test", (payload, context) -> {
				this.running.countDown();
				this.release.await();
			})
			.start();
		this.engine.enqueue("test");
		this.running.await();
		process.loseDatabase();
		CompletableFuture<Void> stop = Async.run(process::stop);
		assertThat(stop).succeedsWithin(Engine.PATIENCE);
		assertThat(this.engine.leased()).isEqualTo(1);
	}

	@Test
	void aWorkerEndsInTimeIfTheDatabaseWasNeverThere() {
		TestProcess process = this.engine.process().handle("test", (payload, context) -> {
		}).start();
		process.loseDatabase();
		CompletableFuture<Void> stop = Async.run(process::stop);
		assertThat(stop).succeedsWithin(Engine.PATIENCE);
	}

	@Test
	void aNewHostTakesOverWhereOneStopped() {
		AtomicInteger runs = new AtomicInteger();
		for (int start = 0; start < 5; start++) {
			TestProcess process = this.engine.process()
				.handle("test", (payload, context) -> runs.incrementAndGet())
				.start();
			this.engine.awaitState(this.engine.enqueue("test"), JobState.SUCCEEDED);
			process.stop();
			assertThatItHasSignedOff();
			isUntouched(this.engine.enqueue(JobRequest.of("test").delay(Duration.ofHours(1))));
		}
		assertThat(runs).hasValue(5);
	}

	@Test
	void aWorkerCanBeStoppedRightAfterTheStart() {
		for (int start = 0; start < 10; start++) {
			this.engine.process().handle("test", (payload, context) -> {
			}).start().stop();
		}
		await().untilAsserted(this::assertThatItHasSignedOff);
	}

	@Test
	void aWorkerLeavesNoThreadBehind() {
		List<Thread> slots = new CopyOnWriteArrayList<>();
		WorkerThreads threads = new WorkerThreads();
		TestProcess process = this.engine.process().threads((slot) -> {
			Thread thread = new Thread(slot);
			slots.add(thread);
			return thread;
		}).handle("test", (payload, context) -> {
		}).startAndListen();
		this.engine.awaitState(this.engine.enqueue("test"), JobState.SUCCEEDED);
		assertThat(threads.alive()).extracting(Thread::getName)
			.contains("rowqueue-claimer", "rowqueue-finisher", "rowqueue-heartbeat", "rowqueue-listener");
		assertThat(slots).as("a thread for the only job").hasSize(1);
		process.stop();
		threads.awaitEnd();
		await().until(() -> slots.stream().noneMatch(Thread::isAlive));
	}

	/** Otherwise it would keep its process and its leases alive. */
	@Test
	void aWorkerWhoseStopIsInterruptedEndsAllTheSame() throws InterruptedException {
		List<Thread> slots = new CopyOnWriteArrayList<>();
		WorkerThreads threads = new WorkerThreads();
		AtomicReference<JobContext> seen = new AtomicReference<>();
		TestProcess process = this.engine.process().shutdownTimeout(Duration.ofMinutes(5)).threads((slot) -> {
			Thread thread = new Thread(slot);
			slots.add(thread);
			return thread;
		}).handle("test", (payload, context) -> {
			seen.set(context);
			this.running.countDown();
			this.release.await();
		}).start();
		this.engine.enqueue("test");
		this.running.await();
		AtomicReference<Throwable> thrown = new AtomicReference<>();
		Thread stop = new Thread(process::stop);
		stop.setUncaughtExceptionHandler((thread, ex) -> thrown.set(ex));
		stop.start();
		await().until(() -> seen.get().stopRequested());
		stop.interrupt();
		stop.join();
		assertThat(thrown.get()).hasCauseInstanceOf(InterruptedException.class);
		threads.awaitEnd();
		await("what runs is interrupted").until(() -> slots.stream().noneMatch(Thread::isAlive));
	}

	private List<Long> enqueue(int count) {
		List<Long> ids = new ArrayList<>();
		for (int i = 0; i < count; i++) {
			ids.add(this.engine.enqueue("test"));
		}
		return ids;
	}

	private void isUntouched(long id) {
		Job job = this.engine.job(id);
		assertThat(job.state()).isIn(JobState.QUEUED, JobState.SCHEDULED);
		assertThat(job.attempt()).isZero();
		assertThat(this.engine.failures(id)).isEmpty();
	}

	private void assertThatItHasSignedOff() {
		assertThat(this.engine.workers()).isZero();
		assertThat(this.engine.leased()).isZero();
	}

}

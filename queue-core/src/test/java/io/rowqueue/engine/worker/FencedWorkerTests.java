package io.rowqueue.engine.worker;

import java.sql.Connection;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

import ch.qos.logback.classic.Level;
import io.rowqueue.HandlerOptions;
import io.rowqueue.JobContext;
import io.rowqueue.JobState;
import io.rowqueue.StopReason;
import io.rowqueue.engine.recovery.RecoveryStore;
import io.rowqueue.testing.Async;
import io.rowqueue.testing.Engine;
import io.rowqueue.testing.Log;
import io.rowqueue.testing.TestProcess;
import io.rowqueue.testing.UnseenRuns;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.STRING;
import static org.awaitility.Awaitility.await;

/** A worker that the others have given up. */
class FencedWorkerTests {

	@AutoClose
	private final Engine engine = new Engine();

	private final RecoveryStore others = this.engine.recovery();

	private final CountDownLatch running = new CountDownLatch(1);

	@Test
	void aFencedWorkerInterruptsItsJobsAndANewWorkerRunsThem() throws InterruptedException {
		List<Integer> tokens = new CopyOnWriteArrayList<>();
		AtomicReference<StopReason> stopReason = new AtomicReference<>();
		this.engine.process().maxAttempts(5).handle("test", (payload, context) -> {
			tokens.add(context.leaseToken());
			if (context.leaseToken() == 1) {
				this.running.countDown();
				try {
					new CountDownLatch(1).await();
				}
				finally {
					stopReason.set(context.stopReason());
				}
			}
		}).start();
		try (UnseenRuns unseen = UnseenRuns.ofFirstLeases(this.engine)) {
			long id = this.engine.enqueue("test");
			this.running.await();
			giveUpAllWorkers();
			this.engine.awaitState(id, JobState.SUCCEEDED);
			await().untilAsserted(() -> assertThat(stopReason).hasValue(StopReason.LEASE_LOST));
			assertThat(tokens).containsExactly(1, 2);
			assertThat(this.engine.job(id).attempt()).as("it was not seen to run when its worker was given up")
				.isEqualTo(1);
			assertThat(this.engine.count("worker where dead_at is null")).isEqualTo(1);
		}
	}

	@Test
	void aFencedWorkerStopsAndRegistersAgainWhenTheDatabaseIsInAnOlderState() throws InterruptedException {
		AtomicReference<StopReason> stopReason = new AtomicReference<>();
		this.engine.process().maxAttempts(5).handle("test", (payload, context) -> {
			if (context.leaseToken() == 1) {
				this.running.countDown();
				try {
					new CountDownLatch(1).await();
				}
				finally {
					stopReason.set(context.stopReason());
				}
			}
		}).start();
		long id = this.engine.enqueue("test");
		this.running.await();
		await().until(() -> this.engine.number("select heartbeats from rowqueue.worker") > 2);
		long before = this.engine.number("select id from rowqueue.worker");
		this.engine.jdbc().update("update rowqueue.worker set heartbeats = 1");
		await().untilAsserted(() -> assertThat(stopReason).hasValue(StopReason.LEASE_LOST));
		await().until(() -> this.engine.count("worker where id <> ?", before) == 1);
		this.engine.jdbc().update("update rowqueue.worker set dead_at = clock_timestamp() where id = ?", before);
		this.others.recover(5, 10);
		this.engine.awaitState(id, JobState.SUCCEEDED);
	}

	/** Others judge a worker by what its row says. */
	@Test
	void aWorkerRegistersTheLeaseAfterWhichItIsDeclaredDead() {
		this.engine.process().lease(Duration.ofMinutes(5)).handle("test", (payload, context) -> {
		}).startAndListen();
		assertThat(this.engine.number("select extract(epoch from lease) from rowqueue.worker")).isEqualTo(300);
	}

	@Test
	void aFencedWorkerCannotCompleteAJobThatAnotherRuns() throws InterruptedException {
		CountDownLatch finish = new CountDownLatch(1);
		CountDownLatch stale = new CountDownLatch(1);
		AtomicReference<JobContext> second = new AtomicReference<>();
		this.engine.process().handle("test", (payload, context) -> {
			if (context.leaseToken() == 1) {
				this.running.countDown();
				Async.awaitDeaf(finish);
				stale.countDown();
				return;
			}
			second.set(context);
			await().until(() -> stale.getCount() == 0);
			throw new IllegalStateException("the second attempt decides");
		}).maxAttempts(1).start();
		long id = this.engine.enqueue("test");
		this.running.await();
		giveUpAllWorkers();
		await().until(() -> second.get() != null);
		finish.countDown();
		assertThat(this.engine.awaitState(id, JobState.FAILED).lastError()).contains("the second attempt decides");
	}

	@Test
	void jobsThatWaitedForASlotAreRunByTheNewWorker() throws InterruptedException {
		AtomicInteger runs = new AtomicInteger();
		this.engine.process().concurrency(1).maxAttempts(5).handle("test", (payload, context) -> {
			if (runs.incrementAndGet() == 50) {
				this.running.countDown();
				new CountDownLatch(1).await();
			}
		}).start();
		for (int i = 0; i < 100; i++) {
			this.engine.enqueue("test");
		}
		this.running.await();
		giveUpAllWorkers();
		// also what a claim brings that was under way
		this.engine.awaitAllOver(() -> this.others.recover(10, 1000));
		assertThat(this.engine.finished()).isEqualTo(100);
	}

	@Test
	void aFencedWorkerCanBeStoppedWhileItsJobsAreStillDeaf() throws InterruptedException {
		CountDownLatch finish = new CountDownLatch(1);
		TestProcess process = this.engine.process()
			.shutdownTimeout(Duration.ZERO)
			.handle("test", (payload, context) -> {
				this.running.countDown();
				Async.awaitDeaf(finish);
			})
			.start();
		this.engine.enqueue("test");
		this.running.await();
		this.engine.declareWorkersDead();
		process.stop();
		finish.countDown();
		assertThat(this.engine.finished()).isZero();
	}

	@Test
	void aJobThatIsLostDuringTheStopHasTheAttemptsOfItsType() throws InterruptedException {
		AtomicReference<JobContext> seen = new AtomicReference<>();
		TestProcess process = this.engine.process()
			.shutdownTimeout(Duration.ofMinutes(5))
			.handle("test", HandlerOptions.NONE.maxAttempts(1), (payload, context) -> {
				seen.set(context);
				new CountDownLatch(1).await();
			})
			.start();
		long id = this.engine.enqueue("test");
		this.engine.awaitState(id, JobState.RUNNING);
		CompletableFuture<Void> stop = Async.run(process::stop);
		await().until(() -> seen.get().stopRequested());
		this.engine.declareWorkersDead();
		stop.join();
		this.others.recover(10, 1000);
		assertThat(this.engine.job(id).state()).isEqualTo(JobState.FAILED);
	}

	@Test
	void aHeartbeatThatComesAfterItHasSignedOffMeansNothing() throws Exception {
		try (Engine own = Engine.withOwnDatabase();
				Connection holding = own.dataSource().getConnection();
				Statement statement = holding.createStatement();
				Log log = new Log(Worker.class)) {
			statement.execute("""
					create function held() returns trigger language plpgsql as $$
					begin perform pg_advisory_xact_lock_shared(1); return null; end $$;
					create trigger held before update of heartbeat_at on rowqueue.worker execute function held()""");
			TestProcess process = own.process().handle("test", (payload, context) -> {
			}).start();
			statement.execute("select pg_advisory_lock(1)");
			await().until(() -> own
				.number("""
						select count(*) from pg_stat_activity
						where datname = current_database() and wait_event_type = 'Lock' and wait_event = 'advisory'""") == 1);
			List<Thread> heartbeats = Thread.getAllStackTraces()
				.keySet()
				.stream()
				.filter((thread) -> thread.getName().equals("rowqueue-heartbeat"))
				.toList();
			String worker = "Worker " + own.number("select id from rowqueue.worker") + " ";
			process.stop();
			statement.execute("select pg_advisory_unlock(1)");
			await().until(() -> heartbeats.stream().noneMatch(Thread::isAlive));
			assertThat(log.lines(Level.INFO)).filteredOn((line) -> line.startsWith(worker))
				.last(STRING)
				.contains("has stopped; it holds no jobs");
		}
	}

	@Test
	void aJobRunsAsSoonAsAThreadCanBeStartedForIt() {
		AtomicInteger made = new AtomicInteger();
		ThreadFactory threads = (task) -> {
			if (made.incrementAndGet() == 1) {
				throw new OutOfMemoryError("no more threads, says the test");
			}
			return new Thread(task);
		};
		this.engine.process().threads(threads).handle("test", (payload, context) -> {
		}).start();
		this.engine.awaitState(this.engine.enqueue("test"), JobState.SUCCEEDED);
		assertThat(this.engine.workers()).isEqualTo(1);
	}

	private void giveUpAllWorkers() {
		this.engine.declareWorkersDead();
		this.others.recover(10, 1000);
	}

}

package io.rowqueue.engine.wakeup;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;

import io.rowqueue.JobRequest;
import io.rowqueue.JobState;
import io.rowqueue.testing.Engine;
import io.rowqueue.testing.TestProcess;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

import static org.awaitility.Awaitility.await;

/** Workers that poll once a day run at once what they are woken for. */
class WakingTests {

	private static final String HERE = " and database = (select oid from pg_database where datname = current_database())";

	@AutoClose
	private final Engine engine = new Engine();

	@Test
	void aJobOfAnotherProcessWakesTheWorker() {
		start();
		for (String queue : List.of("default", "new queue", "third", "default")) {
			this.engine.awaitState(this.engine.enqueue(JobRequest.of("test").queue(queue)), JobState.SUCCEEDED);
		}
	}

	@Test
	void aJobOfItsOwnProcessWakesTheWorker() {
		TestProcess process = start();
		for (int i = 0; i < 20; i++) {
			this.engine.awaitState(process.queue().enqueue("test", null).id(), JobState.SUCCEEDED);
		}
	}

	@Test
	void aJobThatAHandlerEnqueuesWakesTheWorker() throws InterruptedException {
		CountDownLatch chain = new CountDownLatch(30);
		TestProcess[] process = new TestProcess[1];
		process[0] = this.engine.process().withoutPolling().concurrency(1).handle("test", (payload, context) -> {
			chain.countDown();
			if (chain.getCount() > 0) {
				process[0].queue().enqueue("test", null);
			}
		}).startAndListen();
		this.engine.enqueue("test");
		chain.await();
		this.engine.awaitAllOver();
	}

	/** A claim brings no more than 500, and no job ends before the others have begun. */
	@Test
	void slotsThatAClaimLeavesIdleAreFilledByTheNextOne() {
		int slots = 700;
		CountDownLatch begun = new CountDownLatch(slots);
		this.engine.process().withoutPolling().concurrency(slots).prefetch(0).handle("test", (payload, context) -> {
			begun.countDown();
			begun.await();
		}).handle("first", (payload, context) -> {
		}).startAndListen();
		this.engine.awaitState(this.engine.enqueue("first"), JobState.SUCCEEDED);
		this.engine.queue().enqueueAll(Collections.nCopies(slots, JobRequest.of("test")));
		this.engine.awaitAllOver();
	}

	@Test
	void aRetryWithoutAPauseWakesTheWorker() {
		this.engine.process().withoutPolling().handle("test", (payload, context) -> {
			if (context.attempt() == 1) {
				throw new IllegalStateException("once");
			}
		}).startAndListen();
		this.engine.awaitState(this.engine.enqueue("test"), JobState.SUCCEEDED);
	}

	@Test
	void jobsThatAStoppingWorkerHandsBackWakeTheOthers() throws InterruptedException {
		CountDownLatch running = new CountDownLatch(1);
		CountDownLatch never = new CountDownLatch(1);
		TestProcess stopping = this.engine.process()
			.withoutPolling()
			.shutdownTimeout(Duration.ZERO)
			.concurrency(1)
			.handle("test", (payload, context) -> {
				running.countDown();
				never.await();
			})
			.startAndListen();
		long id = this.engine.enqueue("test");
		running.await();
		start();
		stopping.stop();
		this.engine.awaitState(id, JobState.SUCCEEDED);
	}

	@Test
	void moreJobsThanTheWorkerCanHoldAreAllRun() {
		this.engine.process().withoutPolling().concurrency(2).prefetch(3).handle("test", (payload, context) -> {
		}).startAndListen();
		this.engine.queue().enqueueAll(Collections.nCopies(500, JobRequest.of("test").queue("bulk")));
		this.engine.awaitAllOver();
	}

	@Test
	void aWorkerThatIsNotNotifiedPolls() {
		this.engine.process().handle("test", (payload, context) -> {
		}).startAndListen();
		for (int i = 0; i < 3; i++) {
			this.engine.jdbc()
				.update("insert into rowqueue.job (run_at, order_at, state, queue, type)"
						+ " values (now(), now(), 'queued', 'silent', 'test')");
			this.engine.awaitAllOver();
		}
	}

	@Test
	void aJobThatArrivesWithoutAListenerIsFoundWhenTheSessionIsOpenedAgain() throws SQLException {
		start();
		this.engine.awaitState(this.engine.enqueue("test"), JobState.SUCCEEDED);
		awaitSilence();
		try (Connection other = this.engine.dataSource().getConnection();
				Statement statement = other.createStatement()) {
			other.setAutoCommit(false);
			statement.execute("lock table rowqueue.worker in access exclusive mode");
			this.engine.jdbc()
				.query("select pg_terminate_backend(pid) from pg_locks where locktype = 'advisory'" + HERE, (row) -> {
				});
			statement.execute("insert into rowqueue.job (run_at, order_at, state, queue, type)"
					+ " values (now(), now(), 'queued', 'silent', 'test')");
			other.commit();
		}
		this.engine.awaitAllOver();
	}

	@Test
	void aBrokenSessionIsOpenedAgain() {
		start();
		this.engine.jdbc()
			.query("select pg_terminate_backend(pid, 60000) from pg_locks where locktype = 'advisory'" + HERE,
					(row) -> {
					}); // returns when they have ended
		await()
			.until(() -> this.engine.number("select count(*) from pg_locks where locktype = 'advisory'" + HERE) == 1);
		this.engine.awaitState(this.engine.enqueue("test"), JobState.SUCCEEDED);
	}

	/** A second after it found too little, the worker looks at all lanes once more. */
	private void awaitSilence() {
		await("no worker queries for jobs").until(() -> this.engine.number("select count(*) from pg_stat_activity"
				+ " where datname = current_database() and pid <> pg_backend_pid() and query like '%rowqueue.job%'"
				+ " and state_change > now() - interval '2 seconds'") == 0);
	}

	private TestProcess start() {
		return this.engine.process().withoutPolling().handle("test", (payload, context) -> {
		}).startAndListen();
	}

}

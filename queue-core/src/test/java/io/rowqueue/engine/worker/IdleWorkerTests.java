package io.rowqueue.engine.worker;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import io.rowqueue.JobRequest;
import io.rowqueue.JobState;
import io.rowqueue.engine.wakeup.Arrivals;
import io.rowqueue.flow.Batch;
import io.rowqueue.testing.Engine;
import io.rowqueue.testing.RefusedStatements;
import io.rowqueue.testing.TestProcess;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Workers that have nothing to do let the database sleep. The interval of those that must
 * be woken is so long that a look of theirs would come too late for any test.
 */
@Execution(ExecutionMode.CONCURRENT)
class IdleWorkerTests {

	private static final Duration NEVER = Duration.ofDays(1);

	@AutoClose
	private final Engine engine = Engine.withOwnDatabase();

	private final ConcurrentLinkedQueue<String> statements = new ConcurrentLinkedQueue<>();

	@Test
	void aProcessExecutesAFewStatementsInEachInterval() {
		process(Duration.ofSeconds(1)).through(new RefusedStatements(this.engine.sessions(), (statement) -> {
			this.statements.add(statement.strip().lines().limit(2).collect(Collectors.joining(" ")));
			return false;
		})).start();
		awaitIdle(1);
		int intervals = 5;
		long before = heartbeats() + 1; // what was under way has ended by then
		await("heartbeat").until(() -> heartbeats() >= before);
		this.statements.clear();
		await("heartbeats").until(() -> heartbeats() >= before + intervals);
		Map<String, Long> executed = this.statements.stream()
			.collect(Collectors.groupingBy((statement) -> statement, Collectors.counting()));
		assertThat(executed.values().stream().mapToLong((count) -> count).sum()).as(executed.toString())
			.isLessThanOrEqualTo(4 * (intervals + 1));
	}

	@Test
	void aHeartbeatThatFailsDoesNotEndTheIdleTime() {
		AtomicBoolean refused = new AtomicBoolean();
		process(Duration.ofSeconds(1))
			.through(new RefusedStatements(this.engine.sessions(),
					(statement) -> statement.contains("heartbeats + 1") && refused.compareAndSet(true, false)))
			.start();
		awaitIdle(1);
		refused.set(true);
		await("refusal").until(() -> !refused.get());
		long before = heartbeats();
		await("heartbeat").until(() -> heartbeats() > before);
		assertThat(this.engine.count("worker where idle_interval > '0'")).isOne();
	}

	private long heartbeats() {
		return this.engine.number("select min(heartbeats) from rowqueue.worker");
	}

	@Test
	void jobsOfOtherProcessesWakeThem() {
		TestProcess client = this.engine.process().client();
		AtomicBoolean busy = new AtomicBoolean();
		process(NEVER)
			.handle("look",
					(payload, context) -> busy
						.set(this.engine.number("select count(*) from rowqueue.worker where idle_interval = '0'") == 1))
			.start();
		awaitIdle(1);
		this.engine.awaitState(client.queue().enqueue(JobRequest.of("look")).id(), JobState.SUCCEEDED);
		assertThat(busy).as("whoever holds a lease is watched").isTrue();
		awaitIdle(1);
		long delayed = client.queue().enqueue(JobRequest.of("test").delay(Duration.ofSeconds(1))).id();
		this.engine.awaitState(delayed, JobState.SUCCEEDED);
		awaitIdle(1);
		long bySql = this.engine.number("select rowqueue.enqueue('test', delay => interval '1 second')");
		this.engine.awaitState(bySql, JobState.SUCCEEDED);
	}

	@Test
	void theEndOfABatchWakesThem() throws InterruptedException {
		TestProcess client = this.engine.process().client();
		CountDownLatch after = new CountDownLatch(1);
		process(NEVER).handle("after", (payload, context) -> after.countDown()).start();
		long batch = client.queue()
			.enqueueBatch(Batch.named("test").keepOpen().onSuccess(JobRequest.of("after")),
					Stream.of(JobRequest.of("test")));
		awaitIdle(1);
		client.queue().closeBatch(batch);
		after.await();
	}

	@Test
	void aJobThatThisProcessEnqueuesWakesThem() {
		TestProcess process = process(NEVER).start();
		awaitIdle(1);
		this.engine.awaitState(process.queue().enqueue(JobRequest.of("test")).id(), JobState.SUCCEEDED);
	}

	@Test
	void aWorkerThatDiesSoonAfterItWasWokenIsMissed() {
		CompletableFuture<Integer> running = new CompletableFuture<>();
		List<TestProcess> processes = IntStream.range(0, 2)
			.mapToObj((number) -> process(NEVER).handle("held", (payload, context) -> {
				if (running.complete(number)) {
					new CountDownLatch(1).await();
				}
			}).start())
			.toList();
		awaitIdle(2);
		long job = this.engine.process().client().queue().enqueue(JobRequest.of("held")).id();
		processes.get(running.join()).loseDatabase();
		this.engine.awaitState(job, JobState.SUCCEEDED);
	}

	@Test
	void anAdministratorIsHeard() {
		TestProcess client = this.engine.process().client();
		process(NEVER).start();
		awaitIdle(1);
		long before = heartbeats();
		client.wakeUps().jobsArrived(Arrivals.DEFERRED);
		await("heartbeat").until(() -> heartbeats() > before);
	}

	@Test
	void aWorkerWithoutNotificationsIsBusy() {
		TestProcess process = process(NEVER)
			.listener(new ListenerSettings(true, null, Engine.PATIENCE, Duration.ofDays(1), Duration.ofDays(1)))
			.start();
		awaitIdle(1);
		long before = heartbeats();
		assertThat(this.engine.number("select count(pg_terminate_backend(pid)) from pg_stat_activity"
				+ " where datname = current_database() and query like '%session_locked%' and pid <> pg_backend_pid()"))
			.isOne();
		await("busy").until(() -> heartbeats() > before);
		await("notifications arrive again").until(() -> process.notifications() == NotificationStatus.RECEIVING);
		awaitIdle(1);
	}

	private TestProcess.Builder process(Duration idleInterval) {
		return this.engine.process().withMaintenance().idleInterval(idleInterval).handle("test", (payload, context) -> {
		});
	}

	private void awaitIdle(int workers) {
		await("idle").until(() -> this.engine
			.number("select count(*) from rowqueue.worker where dead_at is null and idle_interval > '0'") == workers);
	}

}

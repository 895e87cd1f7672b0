package io.rowqueue.engine.worker;

import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import ch.qos.logback.classic.Level;
import io.rowqueue.JobRequest;
import io.rowqueue.JobState;
import io.rowqueue.engine.support.Outage;
import io.rowqueue.testing.Engine;
import io.rowqueue.testing.Log;
import io.rowqueue.testing.TestProcess;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

class DatabaseOutageTests {

	@AutoClose
	private final Engine engine = Engine.withOwnDatabase();

	@Test
	void allJobsRunAlthoughConnectionsBreakAgainAndAgain() {
		Map<Long, AtomicInteger> runs = new ConcurrentHashMap<>();
		this.engine.queue().enqueueAll(Collections.nCopies(3000, JobRequest.of("test")));
		this.engine.process().maxAttempts(100).withMaintenance().handle("test", (payload, context) -> {
			runs.computeIfAbsent(context.id(), (id) -> new AtomicInteger()).incrementAndGet();
			if (context.id() % 50 == 0) {
				new CountDownLatch(1).await(1, TimeUnit.MILLISECONDS);
			}
		}).start();
		for (int storm = 1; storm <= 8; storm++) {
			int some = 300 * storm;
			await().until(() -> runs.size() >= some);
			this.engine.terminateAllSessions();
		}
		this.engine.awaitAllOver();
		assertThat(runs).hasSize(3000);
		assertThat(this.engine.finished()).isEqualTo(3000);
		assertThat(this.engine.number("select count(distinct id) from rowqueue.job_finished")).isEqualTo(3000);
	}

	@Test
	void aJobThatRunsThroughAnOutageIsWrittenDownAfterwards() throws InterruptedException {
		CountDownLatch running = new CountDownLatch(1);
		CountDownLatch release = new CountDownLatch(1);
		AtomicInteger runs = new AtomicInteger();
		this.engine.process().failingSoon().handle("test", (payload, context) -> {
			runs.incrementAndGet();
			running.countDown();
			release.await();
		}).start();
		long id = this.engine.enqueue("test");
		running.await();
		try (Log log = new Log(Outage.class)) {
			refuseConnections();
			await().until(() -> !log.lines(Level.WARN).isEmpty());
			release.countDown();
			allowConnections();
			this.engine.awaitState(id, JobState.SUCCEEDED);
			await().untilAsserted(() -> assertThat(log.lines(Level.INFO)).last()
				.asString()
				.startsWith("The database is available again after"));
			assertThat(log.lines(Level.INFO)).first().asString().startsWith("The database is not available");
		}
		assertThat(runs).hasValue(1);
	}

	@Test
	void aWorkerThatStartsWithoutADatabaseWaitsForIt() {
		refuseConnections();
		try (Log log = new Log(Outage.class)) {
			this.engine.process().failingSoon().withMaintenance().handle("test", (payload, context) -> {
			}).start();
			await().until(() -> !log.lines(Level.WARN).isEmpty());
		}
		allowConnections();
		this.engine.awaitState(this.engine.enqueue("test"), JobState.SUCCEEDED);
	}

	@Test
	void aProcessWithoutAWorkerEnqueuesAgainAsSoonAsTheDatabaseIsBack() {
		TestProcess process = this.engine.process().failingSoon().handle("test", (payload, context) -> {
		}).startAndListen();
		this.engine.terminateAllSessions();
		await().ignoreExceptions().until(() -> process.queue().enqueue("test", null).created());
		this.engine.awaitAllOver();
		assertThat(List.of(this.engine.workers())).containsExactly(1L);
	}

	private void refuseConnections() {
		this.engine.allowConnections(false);
	}

	private void allowConnections() {
		this.engine.allowConnections(true);
	}

}

package io.rowqueue.engine.worker;

import java.time.Duration;

import ch.qos.logback.classic.Level;
import io.rowqueue.JobState;
import io.rowqueue.engine.database.BoundedSocketFactory;
import io.rowqueue.testing.Engine;
import io.rowqueue.testing.Log;
import io.rowqueue.testing.TestProcess;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.postgresql.ds.PGSimpleDataSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** A session that knows the channel of a queue sends more than a worker can read. */
class NotificationFloodTests {

	/** The driver makes one array of what one transaction sends. */
	private static final String FLOOD = """
			select count(pg_notify(rowqueue.wake_up_channel(), i || repeat('x', 7900))), pg_backend_pid()
			from generate_series(1, ?) i""";

	private static final Duration NEVER = Duration.ofDays(1);

	@AutoClose
	private final Engine engine = Engine.withOwnDatabase();

	@AutoClose
	private final Log log = new Log(Listener.class);

	@Test
	void aFloodThatIsBiggerThanTheHeapDoesNotExhaustIt() throws Exception {
		Process process = SmallHeapWorker.start(this.engine, "64m", 1);
		try {
			awaitSuccess(process); // it has started
			await().until(() -> !process.isAlive() || lockedSessions() == 1);
			flood(20_000);
			await("it has left the session").until(() -> !process.isAlive() || lockedSessions() == 0);
			awaitSuccess(process);
			assertThat(process.isAlive()).isTrue();
		}
		finally {
			process.destroyForcibly().waitFor();
		}
	}

	@Test
	void aWorkerLeavesTheSessionPollsAndListensAgainLater() {
		TestProcess process = this.engine.process()
			.listener(new ListenerSettings(true, bounded(), Engine.PATIENCE, NEVER, Duration.ofMillis(400)))
			.handle("test", (payload, context) -> {
			})
			.start();
		awaitStatus(process, NotificationStatus.RECEIVING);
		int notifier = flood(3000);
		await("it has left the session").until(() -> !this.log.lines(Level.WARN).isEmpty());
		this.engine.awaitState(this.engine.enqueue("test"), JobState.SUCCEEDED);
		awaitStatus(process, NotificationStatus.RECEIVING);
		assertThat(this.log.lines(Level.WARN)).singleElement()
			.asString()
			.contains("too many arrived at once, the latest from the server process " + notifier)
			.contains("It polls every 200 ms instead")
			.contains("It listens again in 400 ms");
	}

	@Test
	void whatIsNoNameOfAQueueIsNotTakenForOne() {
		TestProcess process = this.engine.process()
			.withoutPolling()
			.listener(new ListenerSettings(true, bounded(), Engine.PATIENCE, NEVER, NEVER))
			.handle("test", (payload, context) -> {
			})
			.start();
		awaitStatus(process, NotificationStatus.RECEIVING);
		flood(10);
		this.engine.awaitState(this.engine.enqueue("test"), JobState.SUCCEEDED);
		assertThat(process.notifications()).isEqualTo(NotificationStatus.RECEIVING);
		assertThat(this.log.lines(Level.WARN)).isEmpty();
	}

	private PGSimpleDataSource bounded() {
		PGSimpleDataSource dataSource = this.engine.dataSource();
		dataSource.setSocketFactory(BoundedSocketFactory.class.getName());
		return dataSource;
	}

	/** Sends it, and returns whose it is. */
	private int flood(int notifications) {
		return this.engine.jdbc().query(FLOOD, (row, index) -> row.getInt(2), notifications).get(0);
	}

	private void awaitSuccess(Process process) {
		long id = this.engine.number("select rowqueue.enqueue('test', '\"x\"')");
		await().atMost(Engine.LIMIT)
			.until(() -> !process.isAlive() || this.engine.count("job_finished where id = ?", id) == 1);
		assertThat(process.isAlive()).isTrue();
	}

	private long lockedSessions() {
		return this.engine.number("select count(*) from pg_locks where locktype = 'advisory' and granted"
				+ " and database = (select oid from pg_database where datname = current_database())");
	}

	private static void awaitStatus(TestProcess process, NotificationStatus status) {
		await(status.toString()).until(() -> process.notifications() == status);
	}

}

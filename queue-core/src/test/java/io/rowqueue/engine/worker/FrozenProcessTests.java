package io.rowqueue.engine.worker;

import java.lang.reflect.Method;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

import javax.sql.DataSource;

import ch.qos.logback.classic.Level;
import io.rowqueue.JobState;
import io.rowqueue.engine.database.StatementTimeouts;
import io.rowqueue.testing.Engine;
import io.rowqueue.testing.Log;
import io.rowqueue.testing.Proxies;
import io.rowqueue.testing.TestProcess;
import io.rowqueue.testing.Wire;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.datasource.DelegatingDataSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** A process that was not heard of for longer than its lease, and goes on. */
class FrozenProcessTests {

	private static final Duration LEASE = WorkerSettings.SHORTEST_LEASE;

	private static final StatementTimeouts SHORT = new StatementTimeouts(Duration.ofMillis(600), Duration.ofMillis(300),
			Duration.ofSeconds(1));

	private static final int JOBS = 100;

	/** Enough for the worker to learn that it may take jobs ahead. */
	private static final int RUN_BEFORE = 50;

	@AutoClose
	private final Engine engine = new Engine();

	private final Queue<Long> begun = new ConcurrentLinkedQueue<>();

	private final CountDownLatch release = new CountDownLatch(1);

	@Test
	void aFrozenProcessStartsNoneOfTheJobsThatOthersMayHave() throws Exception {
		try (Wire wire = new Wire(this.engine); Log log = Log.ofJobs()) {
			TestProcess process = whileOthersWait(
					this.engine.process().failingSoon().through(wire.dataSource()).limits(SHORT));
			wire.swallow(true);
			await("its lease has expired").until(() -> process.heartbeatAge().compareTo(LEASE) > 0);
			int waiting = process.prefetched(); // a claim may have been under way
			assertThat(waiting).isPositive();
			this.release.countDown();
			await("it has looked at all").until(() -> handedBack(log) >= waiting);
			assertThat(this.begun).hasSize(RUN_BEFORE);
			wire.swallow(false);
			this.engine.awaitAllOver();
			assertThat(this.begun).hasSize(JOBS).doesNotHaveDuplicates();
			assertThat(this.engine.number("select max(attempt) from rowqueue.job_finished")).isEqualTo(1);
		}
	}

	/**
	 * The server has taken it long ago, and the process or the network was frozen since.
	 */
	@Test
	void aLateAnswerToAHeartbeatIsNoReasonToBeginThemEither() throws Exception {
		HeldHeartbeats heartbeats = new HeldHeartbeats(this.engine.dataSource());
		try (Log log = Log.ofJobs()) {
			TestProcess process = whileOthersWait(this.engine.process().through(heartbeats));
			heartbeats.hold();
			await("its lease has expired").until(() -> process.heartbeatAge().compareTo(LEASE) > 0);
			heartbeats.answerOne();
			await("the one that was answered is that old, too")
				.until(() -> process.heartbeatAge().compareTo(LEASE) > 0);
			int waiting = process.prefetched();
			assertThat(waiting).isPositive();
			this.release.countDown();
			await("it has looked at all").until(() -> handedBack(log) >= waiting);
			assertThat(this.begun).hasSize(RUN_BEFORE);
			heartbeats.goOn();
			this.engine.awaitAllOver();
			assertThat(this.begun).hasSize(JOBS).doesNotHaveDuplicates();
		}
	}

	/** Starts a process of one slot, in which a job runs and for which others wait. */
	private TestProcess whileOthersWait(TestProcess.Builder builder) {
		TestProcess process = builder.lease(LEASE)
			.prefetchWait(Duration.ofMinutes(5))
			.concurrency(1)
			.handle("test", (payload, context) -> {
				this.begun.add(context.id());
				if (this.begun.size() == RUN_BEFORE) {
					this.release.await();
				}
			})
			.start();
		IntStream.range(0, JOBS).forEach((i) -> this.engine.enqueue("test"));
		await("one runs, and others wait for its slot")
			.until(() -> this.engine.jobs(JobState.RUNNING) == 1 && this.engine.jobs(JobState.STARTING) > 0);
		return process;
	}

	private static long handedBack(Log log) {
		return log.lines(Level.INFO)
			.stream()
			.filter((line) -> line.contains("no heartbeat of this process was confirmed"))
			.count();
	}

	/** Connections over which a heartbeat reaches the server, and its answer waits. */
	private static final class HeldHeartbeats extends DelegatingDataSource {

		private final CountDownLatch first = new CountDownLatch(1);

		private final CountDownLatch read = new CountDownLatch(1);

		private final CountDownLatch others = new CountDownLatch(1);

		private final AtomicInteger held = new AtomicInteger();

		private volatile boolean holding;

		HeldHeartbeats(DataSource target) {
			super(target);
		}

		void hold() {
			this.holding = true;
		}

		/** Returns when the process has read the answer, and is at its next heartbeat. */
		void answerOne() throws InterruptedException {
			this.first.countDown();
			this.read.await();
		}

		void goOn() {
			this.others.countDown();
		}

		@Override
		public Connection getConnection() throws SQLException {
			Connection connection = super.getConnection();
			return Proxies.of(Connection.class, (proxy, method, arguments) -> {
				Object result = Proxies.call(connection, method, arguments);
				return (method.getName().equals("prepareStatement")
						&& arguments[0].toString().contains("set heartbeat_at"))
								? Proxies.of(PreparedStatement.class,
										(self, each, given) -> heartbeat(result, each, given))
								: result;
			});
		}

		private Object heartbeat(Object statement, Method method, Object[] arguments) throws Throwable {
			boolean execute = method.getName().startsWith("execute") && this.holding;
			int number = execute ? this.held.incrementAndGet() : 0;
			if (number > 1) {
				this.read.countDown();
				this.others.await();
			}
			Object answer = Proxies.call(statement, method, arguments);
			if (number == 1) {
				this.first.await();
			}
			return answer;
		}

	}

}

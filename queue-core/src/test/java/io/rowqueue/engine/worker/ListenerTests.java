package io.rowqueue.engine.worker;

import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.function.BiFunction;

import javax.sql.DataSource;

import ch.qos.logback.classic.Level;
import io.rowqueue.JobState;
import io.rowqueue.engine.database.StatementTimeouts;
import io.rowqueue.engine.database.WorkerDataSource;
import io.rowqueue.testing.Engine;
import io.rowqueue.testing.Log;
import io.rowqueue.testing.TestProcess;
import io.rowqueue.testing.Wire;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.postgresql.PGConnection;
import org.postgresql.ds.PGSimpleDataSource;
import org.springframework.jdbc.datasource.DelegatingDataSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** A worker knows whether notifications reach it, and does without if they do not. */
class ListenerTests {

	private static final Duration SHORT = Duration.ofMillis(400);

	private static final Duration NEVER = Duration.ofDays(1);

	@AutoClose
	private final Engine engine = Engine.withOwnDatabase();

	@AutoClose
	private final Log log = new Log(Listener.class);

	@Test
	void aWorkerKnowsThatItHears() {
		TestProcess process = this.engine.process().withoutPolling().handle("test", (payload, context) -> {
		}).start();
		awaitStatus(process, NotificationStatus.RECEIVING);
		this.engine.awaitState(this.engine.enqueue("test"), JobState.SUCCEEDED);
		process.stop();
		assertThat(process.notifications()).isEqualTo(NotificationStatus.OFF);
		assertThat(this.log.lines(Level.INFO)).isEmpty();
	}

	@Test
	void aWorkerThatIsNotToListenPolls() throws InterruptedException {
		CountDownLatch running = new CountDownLatch(1);
		TestProcess process = this.engine.process()
			.listener(ListenerSettings.of(false, null))
			.handle("test", (payload, context) -> running.countDown())
			.startAndListen(); // its lock shows that it lives
		this.engine.jdbc()
			.update("insert into rowqueue.job (run_at, order_at, state, queue, type)"
					+ " values (now(), now(), 'queued', 'silent', 'test')");
		running.await();
		assertThat(process.notifications()).isEqualTo(NotificationStatus.OFF);
		assertThat(this.engine.number("select count(*) from pg_stat_activity"
				+ " where datname = current_database() and query ilike 'listen%'"))
			.isZero();
	}

	/** The other end is gone, and no packet arrives that closes the connection. */
	@Test
	void aSessionThatWentSilentIsReplaced() throws IOException {
		try (Wire wire = new Wire(this.engine)) {
			TestProcess process = this.engine.process()
				.withoutPolling()
				.listener(new ListenerSettings(true,
						new WorkerDataSource(wire.dataSource(), false, null,
								new StatementTimeouts(Duration.ofSeconds(1), Duration.ofSeconds(1),
										Duration.ofSeconds(1))),
						Duration.ofSeconds(3), SHORT, SHORT))
				.handle("test", (payload, context) -> {
				})
				.start();
			awaitStatus(process, NotificationStatus.RECEIVING);
			wire.swallow(true);
			awaitStatus(process, NotificationStatus.NOT_RECEIVING);
			this.engine.enqueue("test"); // without a notification
			wire.swallow(false);
			awaitStatus(process, NotificationStatus.RECEIVING);
			this.engine.awaitAllOver();
			this.engine.awaitState(this.engine.enqueue("test"), JobState.SUCCEEDED);
			// a busy machine may answer the next session too late as well
			assertThat(this.log.lines(Level.WARN)).isNotEmpty()
				.allSatisfy((line) -> assertThat(line).startsWith("Notifications do not reach worker ")
					.contains("no connection of its own")
					.contains("rowqueue.notifications.url"));
			assertThat(this.log.lines(Level.INFO)).as("one line when they cease, one when they are back")
				.hasSize(2 * this.log.lines(Level.WARN).size())
				.last()
				.asString()
				.startsWith("Notifications reach worker ");
		}
	}

	/**
	 * Without it the others know of the worker by its heartbeat only, and it hears
	 * nothing.
	 */
	@Test
	void aSessionThatWasEndedIsReplacedAtOnce() {
		TestProcess process = this.engine.process()
			.withoutPolling()
			.listener(new ListenerSettings(true, null, Engine.PATIENCE, NEVER, NEVER))
			.handle("test", (payload, context) -> {
			})
			.start();
		awaitStatus(process, NotificationStatus.RECEIVING);
		for (int i = 0; i < 3; i++) {
			long session = session();
			assertThat(this.engine.number("select pg_terminate_backend(?::integer, 10000)::integer", session)).isOne();
			this.engine.awaitState(this.engine.enqueue("test"), JobState.SUCCEEDED);
			await("another one").until(() -> session() > 0 && session() != session);
		}
		assertThat(this.log.lines(Level.INFO)).isEmpty();
	}

	/**
	 * A worker that looked now and then whether it is to stop would not let the CPU
	 * sleep.
	 */
	@Test
	void aSessionIsReadOnceUntilSomethingArrivesOrTheWorkerStops() {
		List<Integer> waits = new CopyOnWriteArrayList<>();
		TestProcess process = this.engine.process()
			.withoutPolling()
			.listener(new ListenerSettings(true, recorded(waits), Engine.PATIENCE, NEVER, NEVER))
			.handle("test", (payload, context) -> {
			})
			.start();
		awaitStatus(process, NotificationStatus.RECEIVING);
		this.engine.awaitState(this.engine.enqueue("test"), JobState.SUCCEEDED);
		await().until(() -> waits.get(waits.size() - 1) > Duration.ofHours(23).toMillis());
		process.stop();
		assertThat(process.notifications()).isEqualTo(NotificationStatus.OFF);
		await("the server has ended it").until(() -> session() == 0);
	}

	@Test
	void aWorkerWhoseSessionWentSilentStopsWithoutIt() throws IOException {
		try (Wire wire = new Wire(this.engine)) {
			TestProcess process = this.engine.process()
				.listener(new ListenerSettings(true, wire.dataSource(), Engine.PATIENCE, NEVER, NEVER))
				.handle("test", (payload, context) -> {
				})
				.start();
			awaitStatus(process, NotificationStatus.RECEIVING);
			wire.swallow(true);
			process.stop();
			assertThat(process.notifications()).isEqualTo(NotificationStatus.OFF);
		}
	}

	/** Connections that tell how many milliseconds a session waits for notifications. */
	private DataSource recorded(List<Integer> waits) {
		return new DelegatingDataSource(this.engine.dataSource()) {
			@Override
			public Connection getConnection() throws SQLException {
				Connection connection = super.getConnection();
				PGConnection recording = proxy(PGConnection.class, connection.unwrap(PGConnection.class),
						(method, arguments) -> {
							if (method.equals("getNotifications") && arguments.length == 1) {
								waits.add((Integer) arguments[0]);
							}
							return null;
						});
				return proxy(Connection.class, connection,
						(method, arguments) -> (method.equals("unwrap") && arguments[0] == PGConnection.class)
								? recording : null);
			}
		};
	}

	/** Answers as the target, unless there is another answer. */
	private static <T> T proxy(Class<T> type, Object target, BiFunction<String, Object[], @Nullable Object> answers) {
		return type
			.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] { type }, (proxy, method, arguments) -> {
				Object answer = answers.apply(method.getName(), (arguments != null) ? arguments : new Object[0]);
				try {
					return (answer != null) ? answer : method.invoke(target, arguments);
				}
				catch (InvocationTargetException ex) {
					throw ex.getTargetException();
				}
			}));
	}

	/** The one that holds the lock of the worker. */
	private long session() {
		return this.engine.number("select coalesce(max(pid), 0) from pg_locks where locktype = 'advisory' and granted"
				+ " and database = (select oid from pg_database where datname = current_database())");
	}

	/** As through a pooler that takes LISTEN and passes nothing on. */
	@Test
	void aWorkerWhoseSessionNeverHearsPollsAndSaysSoOnce() {
		try (Engine elsewhere = Engine.withOwnDatabase()) {
			PGSimpleDataSource wrong = elsewhere.dataSource();
			assertThat(Objects.requireNonNull(wrong.getDatabaseName()))
				.isNotEqualTo(this.engine.dataSource().getDatabaseName());
			TestProcess process = this.engine.process()
				.listener(new ListenerSettings(true, wrong, SHORT, SHORT, SHORT))
				.handle("test", (payload, context) -> {
				})
				.start();
			awaitStatus(process, NotificationStatus.NOT_RECEIVING);
			for (int i = 0; i < 5; i++) {
				this.engine.awaitState(this.engine.enqueue("test"), JobState.SUCCEEDED);
			}
			long before = elsewhere.number("select sum(sessions) from pg_stat_database");
			await().until(() -> elsewhere.number("select sum(sessions) from pg_stat_database") > before + 3);
			assertThat(process.notifications()).isEqualTo(NotificationStatus.NOT_RECEIVING);
			assertThat(this.log.lines(Level.WARN)).singleElement()
				.asString()
				.contains("its own notification did not arrive within 400 ms")
				.contains("It polls every 200 ms instead");
			assertThat(this.engine.count("worker where session_locked")).isZero();
		}
		catch (Exception ex) {
			throw new IllegalStateException(ex);
		}
	}

	@Test
	void aWorkerThatMayNotConnectToTheAddressForListeningPolls() {
		PGSimpleDataSource wrong = this.engine.dataSource();
		wrong.setDatabaseName("there_is_none");
		TestProcess process = this.engine.process()
			.listener(new ListenerSettings(true, wrong, SHORT, SHORT, SHORT))
			.handle("test", (payload, context) -> {
			})
			.start();
		awaitStatus(process, NotificationStatus.NOT_RECEIVING);
		this.engine.awaitState(this.engine.enqueue("test"), JobState.SUCCEEDED);
		assertThat(this.log.lines(Level.WARN)).singleElement().asString().contains("there_is_none");
	}

	private static void awaitStatus(TestProcess process, NotificationStatus status) {
		await(status.toString()).until(() -> process.notifications() == status);
	}

}

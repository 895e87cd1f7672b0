package io.rowqueue.dashboard;

import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import io.rowqueue.autoconfigure.connection.ReadPool;
import io.rowqueue.autoconfigure.connection.ReadPools;
import io.rowqueue.dashboard.api.Reads;
import io.rowqueue.dashboard.http.ProblemException;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.CannotGetJdbcConnectionException;
import org.springframework.transaction.CannotCreateTransactionException;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** The dashboard's own connections. */
class ConnectionsTests {

	private static final Duration SECONDS = Duration.ofSeconds(20);

	private final Host host = Hosts.of(Host.Kind.SERVLET);

	private final ReadPools pools = this.host.bean(ReadPools.class);

	@Test
	void noneIsOpenBeforeTheFirstRead() {
		try (ReadPool pool = this.pools.create("rowqueue-idle", 1, SECONDS)) {
			assertThat(sessions("rowqueue-idle")).isZero();
			assertThat(pool.<Integer>read(() -> 1)).isOne();
			assertThat(sessions("rowqueue-idle")).isOne();
		}
	}

	@Test
	void nothingCanBeWritten() {
		try (ReadPool pool = this.pools.create("rowqueue-reader", 1, SECONDS)) {
			assertThatExceptionOfType(DataAccessException.class)
				.isThrownBy(() -> pool.read(() -> pool.database().update("delete from {schema}.job")))
				.withMessageContaining("read-only transaction");
		}
	}

	@Test
	void aStatementThatTakesTooLongIsABusyDatabase() {
		try (ReadPool pool = this.pools.create("rowqueue-slow", 1, Duration.ofMillis(100))) {
			assertThatExceptionOfType(ProblemException.class)
				.isThrownBy(() -> new Reads(pool).read(
						(at) -> pool.database().query("select pg_sleep(600)::text", (row, index) -> row.getString(1))))
				.satisfies((ex) -> assertThat(ex.problem().type()).endsWith("database-busy"))
				.satisfies((ex) -> assertThat(ex.problem().retryAfter()).isNotNull());
		}
	}

	/** Those of a servlet application are all that it has. */
	@Test
	void fewThreadsWaitForAConnection() {
		try (ReadPool pool = this.pools.create("rowqueue-few", 1, SECONDS)) {
			CountDownLatch done = new CountDownLatch(1);
			CountDownLatch busy = new CountDownLatch(1);
			AtomicInteger refused = new AtomicInteger();
			ExecutorService threads = Executors.newCachedThreadPool();
			Future<?> holder = threads.submit(() -> pool.read(() -> {
				busy.countDown();
				return await(done);
			}));
			await(busy);
			Set<Future<?>> readers = new HashSet<>();
			for (int i = 0; i < 30; i++) {
				readers.add(threads.submit(() -> {
					try {
						pool.read(() -> 1);
					}
					catch (CannotCreateTransactionException ex) {
						if (String.valueOf(ex.getRootCause()).contains("wait for a connection already")) {
							refused.incrementAndGet();
						}
					}
				}));
			}
			Awaitility.await().until(() -> readers.stream().filter(Future::isDone).count() >= 20);
			done.countDown();
			threads.shutdown();
			assertThat(refused.get()).isGreaterThanOrEqualTo(20);
			assertThat(holder).succeedsWithin(SECONDS);
			assertThat(readers).allSatisfy((reader) -> assertThat(reader).succeedsWithin(SECONDS));
		}
	}

	private static boolean await(CountDownLatch latch) {
		try {
			return latch.await(1, TimeUnit.MINUTES);
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
	}

	/** The words of the database may quote what is hidden, and stay in the log. */
	@Test
	void aServerThatDoesNotAnswerIsADatabaseThatIsAway() {
		SQLException refused = new SQLException("Connection to db.internal refused", "08001");
		problem("database-away", refused);
		problem("database-away", new SQLTransientConnectionException("timed out after 5000ms", "08001", refused));
	}

	@Test
	void aPoolWithoutAFreeConnectionIsABusyDatabase() {
		problem("database-busy", new SQLTransientConnectionException("timed out after 5000ms"));
	}

	private static void problem(String code, SQLException cause) {
		assertThatExceptionOfType(ProblemException.class).isThrownBy(() -> Reads.guarded(() -> {
			throw new CannotGetJdbcConnectionException("Failed to obtain JDBC Connection", cause);
		})).satisfies((ex) -> {
			assertThat(ex.problem().type()).endsWith(code);
			assertThat(ex.problem().detail()).doesNotContain("db.internal").doesNotContain("timed out");
		});
	}

	private long sessions(String name) {
		return this.host.jdbc()
			.sql("select count(*) from pg_stat_activity where datname = current_database() and application_name = ?")
			.param(name)
			.query(Long.class)
			.single();
	}

}

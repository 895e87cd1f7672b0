package io.rowqueue.engine.wakeup;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

import com.zaxxer.hikari.HikariDataSource;
import io.rowqueue.engine.worker.WorkerSession;
import io.rowqueue.schema.SchemaName;
import io.rowqueue.testing.Engine;
import io.rowqueue.testing.Stores;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.postgresql.PGConnection;
import org.postgresql.PGNotification;
import org.springframework.jdbc.core.JdbcTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

class WakeUpsTests {

	private static final Arrivals IN_OUTBOX = new Arrivals(Set.of(), false, true, false);

	@AutoClose
	private final Engine engine = Engine.withOwnDatabase();

	private final HikariDataSource pool = this.engine.pool(1);

	private final WakeUps wakeUps = new Stores(new JdbcTemplate(this.pool), new JdbcTemplate(this.pool),
			SchemaName.DEFAULT, true)
		.wakeUps();

	private final List<Arrivals> heard = new ArrayList<>();

	@Test
	void wakeUpsNotifyThisProcessAtOnceUntilItStopsListening() {
		WakeUps.Registration registration = this.wakeUps.listen(this.heard::add);
		this.wakeUps.jobsArrived(Arrivals.of(List.of("a", "b")));
		this.wakeUps.jobsArrived(Arrivals.of(List.of()));
		registration.close();
		this.wakeUps.jobsArrived(Arrivals.of(List.of("c")));
		assertThat(this.heard).containsExactly(Arrivals.of(List.of("a", "b")));
	}

	@Test
	void wakeUpsReportTheOutboxApartFromQueues() throws SQLException {
		this.wakeUps.listen(this.heard::add);
		try (Session session = new Session()) {
			this.wakeUps.jobsArrived(IN_OUTBOX);
			assertThat(this.heard).containsExactly(IN_OUTBOX);
			await().until(session::hasHeardOfOutbox);
			assertThat(session.queues()).isEmpty();
		}
	}

	@Test
	void wakeUpsNotifyOtherProcesses() throws SQLException {
		try (Session session = new Session()) {
			this.wakeUps.jobsArrived(Arrivals.of(List.of("a", "b")));
			this.wakeUps.jobsArrived(Arrivals.of(List.of("with \"quotes' and ümlauts")));
			session.awaitQueues("a", "b", "with \"quotes' and ümlauts");
		}
	}

	@Test
	void theLastWakeUpsAreSentBeforeTheClose() throws SQLException {
		try (Session session = new Session()) {
			this.wakeUps.jobsArrived(Arrivals.of(List.of("last")));
			this.wakeUps.close();
			session.awaitQueues("last");
			this.wakeUps.jobsArrived(Arrivals.of(List.of("too late")));
		}
	}

	@Test
	void wakeUpsContinueAfterTheDatabaseWasNotAvailable() throws SQLException {
		this.wakeUps.jobsArrived(Arrivals.of(List.of("before")));
		this.engine.allowConnections(false);
		this.wakeUps.jobsArrived(Arrivals.of(List.of("lost")));
		this.engine.allowConnections(true);
		try (Session session = new Session()) {
			await().until(() -> {
				this.wakeUps.jobsArrived(Arrivals.of(List.of("after")));
				return session.queues().contains("after");
			});
		}
	}

	@Test
	void wakeUpsDoNotHoldUpTheCallerWhileTheServerNotifies() throws SQLException {
		try (Session session = new Session();
				Connection blocking = this.pool.getConnection();
				Statement statement = blocking.createStatement()) {
			statement.execute("select 1");
			// the only connection of the pool is ours
			this.wakeUps.jobsArrived(Arrivals.of(List.of("a")));
			this.wakeUps.jobsArrived(Arrivals.of(List.of("b")));
			blocking.close();
			session.awaitQueues("a", "b");
		}
	}

	@Test
	void wakeUpsAreSentTogetherHoweverManyJobsArrive() throws SQLException {
		try (Connection listening = this.engine.dataSource().getConnection();
				Statement statement = listening.createStatement()) {
			statement.execute("do $$ begin execute 'listen ' || rowqueue.wake_up_channel(); end $$");
			Connection blocking = this.pool.getConnection();
			for (int i = 0; i < 1000; i++) { // the only connection of the pool is ours
				this.wakeUps.jobsArrived(Arrivals.of(List.of("a", "b")));
			}
			blocking.close();
			this.wakeUps.close();
			List<PGNotification> notifications = new ArrayList<>();
			await().until(() -> {
				notifications.addAll(List.of(listening.unwrap(PGConnection.class).getNotifications(100)));
				return notifications.stream().map(PGNotification::getParameter).toList().containsAll(List.of("a", "b"));
			});
			assertThat(notifications).extracting(PGNotification::getParameter).contains("a", "b").hasSizeBetween(2, 4);
		}
	}

	/** What another process hears. */
	private final class Session implements AutoCloseable {

		private final WorkerSession session = WorkerSession.open(WakeUpsTests.this.engine.dataSource(),
				SchemaName.DEFAULT, 1);

		private final Set<String> queues = new TreeSet<>();

		private boolean outbox;

		Session() throws SQLException {
		}

		private void hear() throws SQLException {
			Arrivals arrivals = this.session.await(Duration.ofMillis(20));
			this.queues.addAll(arrivals.queues());
			this.outbox |= arrivals.outbox();
		}

		Set<String> queues() throws SQLException {
			hear();
			return this.queues;
		}

		boolean hasHeardOfOutbox() throws SQLException {
			hear();
			return this.outbox;
		}

		void awaitQueues(String... expected) {
			await().until(() -> queues().containsAll(List.of(expected)));
		}

		@Override
		public void close() throws SQLException {
			this.session.close();
		}

	}

}

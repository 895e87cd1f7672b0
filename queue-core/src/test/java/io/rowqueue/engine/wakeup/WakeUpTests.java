package io.rowqueue.engine.wakeup;

import java.sql.SQLException;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

import io.rowqueue.engine.listen.StoreListener;
import io.rowqueue.engine.worker.WorkerSession;
import io.rowqueue.schema.SchemaName;
import io.rowqueue.testing.Engine;
import io.rowqueue.testing.OpenTransaction;
import io.rowqueue.testing.StoreDatabase;
import io.rowqueue.testing.Stores;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

/** How workers hear of new jobs. */
@Timeout(60)
class WakeUpTests {

	private static final Duration LONG = Duration.ofSeconds(30);

	@RegisterExtension
	static final StoreDatabase database = new StoreDatabase();

	private WorkerSession session;

	@BeforeEach
	void open() throws SQLException {
		this.session = WorkerSession.open(database.direct(), SchemaName.DEFAULT, database.worker());
	}

	@AfterEach
	void close() throws SQLException {
		this.session.close();
	}

	@Test
	void aSessionHearsOfTheQueuesThatHaveNewJobs() throws SQLException {
		database.jobs().wakeUp(List.of("mail", "b\u00fccher 'x'", "mail"));
		assertThat(hear(2)).containsExactlyInAnyOrder("mail", "b\u00fccher 'x'");
	}

	@Test
	void aSessionDistinguishesTheOutboxFromAQueueOfThatName() throws SQLException {
		new WakeUpStore(database.queueDatabase(), StoreListener.NONE)
			.wakeUp(new Arrivals(Set.of("outbox"), false, true, false));
		Arrivals.Builder heard = new Arrivals.Builder();
		await().atMost(Engine.PATIENCE).until(() -> {
			heard.add(this.session.await(LONG));
			return heard.build().outbox() && !heard.build().queues().isEmpty();
		});
		assertThat(heard.build().queues()).containsExactly("outbox");
	}

	@Test
	void everySessionHears() throws SQLException {
		try (WorkerSession other = WorkerSession.open(database.direct(), SchemaName.DEFAULT, database.worker())) {
			database.jobs().wakeUp(List.of("mail"));
			assertThat(hear(1)).containsExactly("mail");
			assertThat(other.await(LONG).queues()).containsExactly("mail");
		}
	}

	@Test
	void aSessionHearsNothingOfOtherSchemas() throws SQLException {
		SchemaName other = new SchemaName("other");
		database.initialize(other);
		new Stores(database.jdbc(), database.jdbc(), other, true).wakeUp(List.of("theirs"));
		database.jobs().wakeUp(List.of("ours"));
		assertThat(hear(1)).containsExactly("ours");
	}

	@Test
	void theChannelCannotBeGuessed() {
		database.initialize(new SchemaName("another"));
		String ours = channel(SchemaName.DEFAULT);
		assertThat(ours).matches("rowqueue_[0-9a-f]{32}").isNotEqualTo(channel(new SchemaName("another")));
	}

	@Test
	void aRoleThatMayOnlyEnqueueWakesWorkersAndCannotKnowTheChannel() throws Exception {
		String producer = "producer_" + Long.toUnsignedString(System.nanoTime());
		database.execute("create role " + producer);
		database.execute("grant usage on schema {schema} to " + producer);
		database.execute("grant execute on function {schema}.enqueue to " + producer);
		try {
			for (String look : List.of("select rowqueue.wake_up_channel()",
					"select name from rowqueue.notification_channel")) {
				try (OpenTransaction transaction = database.begin()) {
					transaction.execute("set local role " + producer);
					assertThatException().isThrownBy(() -> transaction.execute(look))
						.havingRootCause()
						.withMessageContaining("permission denied");
				}
			}
			try (OpenTransaction transaction = database.begin()) {
				transaction.execute("set local role " + producer);
				transaction.execute("select rowqueue.enqueue('type', queue => 'mail')");
				transaction.commit();
			}
			assertThat(hear(1)).containsExactly("mail");
		}
		finally {
			database.execute("drop owned by " + producer);
			database.execute("drop role " + producer);
		}
	}

	/** As in a copy of the tables without their rows. */
	@Test
	void aMissingChannelFailsNoEnqueue() throws Exception {
		String name = channel(SchemaName.DEFAULT);
		database.execute("delete from {schema}.notification_channel");
		try (WorkerSession later = WorkerSession.open(database.direct(), SchemaName.DEFAULT, database.worker())) {
			database.execute("select {schema}.enqueue('type', queue => 'mail')");
			assertThat(later.await(LONG).queues()).containsExactly("mail");
		}
		finally {
			database.execute("insert into {schema}.notification_channel (name) values ('" + name + "')");
		}
	}

	private static String channel(SchemaName schema) {
		return database.query("select name from " + schema.quoted() + ".notification_channel", String.class);
	}

	@Test
	void aSessionHearsOnlyWhatIsCommitted() throws Exception {
		try (OpenTransaction transaction = database.begin()) {
			transaction.jobs().wakeUp(List.of("never"));
			transaction.rollback();
			transaction.jobs().wakeUp(List.of("mail"));
			transaction.commit();
		}
		assertThat(hear(1)).containsExactly("mail");
	}

	@Test
	void onlyTheTransactionOfAWakeUpDoesNotWaitForTheLog() throws Exception {
		try (OpenTransaction transaction = database.begin()) {
			transaction.jobs().wakeUp(List.of("mail"));
			assertThat(transaction.show("synchronous_commit")).isEqualTo("off");
			transaction.commit();
			assertThat(transaction.show("synchronous_commit")).isEqualTo("on");
		}
	}

	@Test
	void noQueuesSendNoNotification() throws SQLException {
		database.jobs().wakeUp(List.of());
		assertThat(this.session.await(Duration.ofMillis(1)).queues()).isEmpty();
	}

	@Test
	void noTimeIsNotForEver() throws SQLException {
		assertThat(this.session.await(Duration.ZERO).queues()).isEmpty();
	}

	@Test
	void aSessionThatTheServerEndedIsBroken() {
		database.query(
				"select count(pg_terminate_backend(pid)) from pg_locks where locktype = 'advisory'"
						+ " and database = (select oid from pg_database where datname = current_database())",
				Integer.class);
		assertThatExceptionOfType(SQLException.class).isThrownBy(() -> this.session.await(LONG));
	}

	private Set<String> hear(int queues) {
		Set<String> heard = new HashSet<>();
		await().atMost(Engine.PATIENCE).until(() -> {
			heard.addAll(this.session.await(LONG).queues());
			return heard.size() >= queues;
		});
		return heard;
	}

}

package io.rowqueue.engine.outbox;

import java.sql.SQLException;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;

import ch.qos.logback.classic.Level;
import com.zaxxer.hikari.HikariDataSource;
import io.rowqueue.EnqueueResult;
import io.rowqueue.JobQueue;
import io.rowqueue.JobRequest;
import io.rowqueue.engine.database.QueueDatabase;
import io.rowqueue.engine.outbox.BrokerOutage;
import io.rowqueue.engine.support.Outage;
import io.rowqueue.engine.wakeup.WakeUps;
import io.rowqueue.schema.SchemaName;
import io.rowqueue.testing.Engine;
import io.rowqueue.testing.Log;
import io.rowqueue.testing.MemoryBroker;
import io.rowqueue.testing.OpenTransaction;
import io.rowqueue.transport.JobConsumer;
import io.rowqueue.transport.JobMessage;
import io.rowqueue.transport.JobPublisher;
import io.rowqueue.transport.JobTransport;
import io.rowqueue.transport.TransportException;
import io.rowqueue.transport.TransportSettings;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.util.unit.DataSize;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

class RelayTests {

	@AutoClose
	private final Engine engine = new Engine();

	private final MemoryBroker broker = new MemoryBroker(new Random(1), new TransportSettings(true, false,
			Duration.ofDays(1), DataSize.ofKilobytes(256), false, Duration.ofMillis(300), 1000), "push");

	private final Map<Long, AtomicInteger> runs = new ConcurrentHashMap<>();

	private Set<Long> enqueue(int jobs) {
		JobQueue queue = this.engine.queue(MemoryBroker.carriage(this.broker.client()));
		return queue.enqueueAll(Collections.nCopies(jobs, JobRequest.of("push", "hello")))
			.stream()
			.map(EnqueueResult::id)
			.collect(Collectors.toCollection(TreeSet::new));
	}

	private void start() {
		this.engine.process()
			.with(MemoryBroker.carriedBy(this.broker.client()))
			.withMaintenance()
			.handle("push",
					(payload, context) -> this.runs.computeIfAbsent(context.id(), (id) -> new AtomicInteger())
						.incrementAndGet())
			.start();
	}

	private long outbox() {
		return this.engine.count("outbox");
	}

	@Test
	void publishesWhatIsInTheOutboxInTheOrderOfTheIds() throws InterruptedException {
		Set<Long> ids = enqueue(2500);
		Relay relay = relay(this.broker.client());
		relay.turn();
		assertThat(this.broker.ids()).containsExactlyElementsOf(ids);
		assertThat(outbox()).isZero();
	}

	@Test
	void canBeWokenBeforeItStarts() throws InterruptedException {
		Set<Long> ids = enqueue(1);
		Relay relay = relay(this.broker.client());
		relay.wake();
		relay.start();
		await().until(() -> this.broker.ids().equals(ids));
		relay.close();
	}

	@Test
	void skipsWhatAnotherTransactionHasLocked() throws Exception {
		Set<Long> ids = enqueue(3);
		Long first = ids.iterator().next();
		try (OpenTransaction other = this.engine.begin()) {
			other.execute("select from {schema}.outbox where id = " + first + " for update");
			relay(this.broker.client()).turn();
			assertThat(this.broker.ids()).hasSize(2).doesNotContain(first);
		}
		assertThat(outbox()).isEqualTo(1);
	}

	@Test
	void aJobWhoseTransactionCommitsLateIsFoundByItself() throws SQLException {
		start();
		try (OpenTransaction late = this.engine.begin()) {
			late.execute("insert into {schema}.outbox (queue, type) values ('default', 'push')");
			Set<Long> others = enqueue(2000);
			await().until(() -> this.runs.keySet().containsAll(others));
			late.commit();
		}
		await().until(() -> this.runs.size() == 2001);
	}

	@Test
	void jobsOfABatchThatTheBrokerHasNotAnsweredArePublishedAgain() {
		this.broker.unanswered(0.5);
		Set<Long> ids = enqueue(1000);
		start();
		await().until(() -> outbox() == 0);
		this.broker.unanswered(0);
		await().until(() -> this.runs.keySet().containsAll(ids) && this.broker.size() == 0);
		this.runs.forEach((id, runs) -> assertThat(runs.get() == 1 || this.broker.repeated().contains(id)).isTrue());
	}

	@Test
	void aRelayThatDiesBetweenPublishAndCommitLosesNothing() {
		Set<Long> ids = enqueue(10);
		MemoryBroker.Client client = this.broker.client();
		JobPublisher dying = client.createPublisher();
		Relay relay = relay(new Transport(client, (jobs) -> {
			dying.publish(jobs);
			this.engine.terminateAllSessions();
			return List.of();
		}));
		assertThatExceptionOfType(RuntimeException.class).isThrownBy(relay::turn);
		assertThat(this.broker.ids()).isEqualTo(ids);
		assertThat(outbox()).isEqualTo(10);
		start();
		await().until(() -> this.runs.keySet().equals(ids) && outbox() == 0 && this.broker.size() == 0);
	}

	@Test
	void jobsRunFromTheDatabaseWhileTheBrokerIsAwayForLong() {
		this.broker.away(true);
		Set<Long> ids = enqueue(1500);
		try (Log log = new Log(BrokerOutage.class); Log relay = new Log(Relay.class)) {
			start();
			await().until(() -> this.runs.keySet().equals(ids));
			assertThat(log.lines(Level.WARN)).singleElement().asString().startsWith("Memory is away");
			assertThat(relay.lines(Level.WARN)).singleElement().asString().contains("run its jobs from the database");
			this.broker.away(false);
			JobQueue queue = this.engine.queue(MemoryBroker.carriage(this.broker.client()));
			await("the broker carries jobs again").until(() -> {
				queue.enqueueAll(List.of(JobRequest.of("push", "hello")));
				return this.broker.published() > 0;
			});
			await().untilAsserted(
					() -> assertThat(log.lines(Level.INFO)).last().asString().startsWith("Memory is back after"));
		}
		await().until(() -> outbox() == 0 && this.broker.size() == 0);
		this.engine.awaitAllOver();
		assertThat(this.runs.values()).allMatch((runs) -> runs.get() == 1);
	}

	/**
	 * However much later the broker delivers them, to processes that have not met the
	 * outage.
	 */
	@Test
	void jobsThatRanFromTheDatabaseAreDroppedWhenTheBrokerHadStoredThem() throws InterruptedException {
		this.broker.unanswered(1);
		Set<Long> ids = enqueue(100);
		Relay relay = relay(this.broker.client());
		await().until(() -> {
			relay.turn();
			return outbox() == 0;
		});
		this.broker.unanswered(0);
		assertThat(this.broker.ids()).as("stored without an answer").isNotEmpty();
		start();
		await().until(() -> this.runs.keySet().equals(ids) && this.broker.size() == 0);
		this.engine.awaitAllOver();
		assertThat(this.runs.values()).allMatch((runs) -> runs.get() == 1);
	}

	/** As one that is too large for it. */
	@Test
	void aJobThatTheBrokerRefusesRunsFromTheDatabaseAndHoldsUpNoOther() {
		this.broker.maxPayload(100);
		try (Log log = new Log(BrokerOutage.class)) {
			JobQueue queue = this.engine.queue(MemoryBroker.carriage(this.broker.client()));
			long before = queue.enqueue("push", "hello").id();
			long refused = queue.enqueue(JobRequest.of("push", "x".repeat(200)).queue("large").maxAttempts(3)).id();
			long after = queue.enqueue("push", "hello").id();
			start();
			await().until(() -> this.runs.keySet().equals(Set.of(before, refused, after)));
			await().until(() -> outbox() == 0 && this.broker.size() == 0);
			assertThat(this.broker.published()).isEqualTo(2);
			this.engine.awaitAllOver();
			assertThat(this.engine.number("""
					select count(*) from rowqueue.job_finished where id = %d and queue = 'large' and max_attempts = 3
						and created_at <= leased_at""".formatted(refused))).isOne();
			assertThat(log.lines(Level.WARN)).as("the broker is not away").isEmpty();
		}
	}

	/** As those of a type whose topic is missing. */
	@Test
	void jobsThatTheBrokerRefusesDoNotProlongAnOutage() throws Exception {
		Set<Long> ids = new TreeSet<>(enqueue(20));
		AtomicBoolean away = new AtomicBoolean(true);
		Set<Long> published = new TreeSet<>();
		Relay relay = relay(new Transport(this.broker.client(), (jobs) -> {
			if (away.getAndSet(false)) {
				throw new TransportException("It is away", null);
			}
			List<JobMessage> refused = jobs.stream().filter((job) -> job.id() < Collections.max(ids)).toList();
			jobs.stream().filter((job) -> !refused.contains(job)).forEach((job) -> published.add(job.id()));
			return refused;
		}));
		relay.turn();
		assertThat(outbox()).isEqualTo(20);
		await("the broker is tried again").until(() -> {
			relay.turn();
			return outbox() < 20;
		});
		assertThat(outbox()).as("the turn goes on until it knows that the broker is back").isZero();
		assertThat(published).containsExactly(Collections.max(ids));
		assertThat(this.engine.number("select count(*) from rowqueue.job")).as("those that were refused").isEqualTo(19);
	}

	@Test
	void aTransactionOfARelayEndsAlthoughThePublisherDoesNot() throws InterruptedException {
		CountDownLatch never = new CountDownLatch(1);
		enqueue(1);
		Relay relay = relay(new Transport(this.broker.client(), (jobs) -> {
			assertThat(this.engine.number("select count(*) from pg_stat_activity where state = 'idle in transaction'"
					+ " and datname = current_database()"))
				.isEqualTo(1);
			await("the server ends the session").until(
					() -> this.engine.number("select count(*) from pg_stat_activity where state = 'idle in transaction'"
							+ " and datname = current_database()") == 0);
			never.countDown();
			return List.of();
		}));
		assertThatExceptionOfType(RuntimeException.class).isThrownBy(relay::turn);
		never.await();
		assertThat(outbox()).isEqualTo(1);
	}

	private Relay relay(JobTransport transport) {
		HikariDataSource pool = this.engine.pool(2);
		QueueDatabase database = new QueueDatabase(new JdbcTemplate(pool), SchemaName.DEFAULT);
		return new Relay(new OutboxStore(database, pool), transport, WakeUps.ofThisProcess(database),
				new BrokerOutage("Memory"), new Outage());
	}

	/** A transport whose publisher does something else. */
	private record Transport(JobTransport transport, OutboxStore.Publication publication) implements JobTransport {

		@Override
		public String name() {
			return this.transport.name();
		}

		@Override
		public Set<String> types() {
			return this.transport.types();
		}

		@Override
		public JobPublisher createPublisher() {
			return new JobPublisher() {

				@Override
				public List<JobMessage> publish(List<JobMessage> jobs) throws InterruptedException {
					return Transport.this.publication.publish(jobs);
				}

				@Override
				public void close() {
					// it holds nothing
				}

			};
		}

		@Override
		public JobConsumer createConsumer(String type) {
			throw new TransportException("It only publishes", null);
		}

	}

}

package io.rowqueue.engine.outbox;

import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;

import com.zaxxer.hikari.HikariDataSource;
import io.rowqueue.JobQueue;
import io.rowqueue.JobRequest;
import io.rowqueue.engine.wakeup.JobEndings;
import io.rowqueue.schema.SchemaName;
import io.rowqueue.testing.Engine;
import io.rowqueue.testing.MemoryBroker;
import io.rowqueue.testing.Stores;
import io.rowqueue.testing.Transactions;
import io.rowqueue.transport.JobConsumer;
import io.rowqueue.transport.JobMessage;
import io.rowqueue.transport.JobPublisher;
import io.rowqueue.transport.JobTransport;
import io.rowqueue.transport.TransportSettings;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.support.TransactionTemplate;
import org.springframework.util.unit.DataSize;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

/** Single jobs outside of transactions are published without the outbox. */
class DirectPublicationTests {

	@AutoClose
	private final Engine engine = new Engine();

	private final MemoryBroker broker = new MemoryBroker(new Random(1), new TransportSettings(true, true,
			Duration.ofDays(1), DataSize.ofKilobytes(256), false, Duration.ZERO, 1000), "push");

	private final HikariDataSource pool = this.engine.pool(2);

	private final Stores stores = new Stores(new JdbcTemplate(this.pool), new JdbcTemplate(this.pool),
			SchemaName.DEFAULT, true);

	private final JobQueue queue = this.stores.queue(this.pool, this.stores.wakeUps(), new JobEndings(),
			MemoryBroker.carriage(this.broker.client()));

	private final TransactionTemplate transaction = Transactions.template(this.pool);

	@Test
	void aSingleJobIsPublishedAtOnce() {
		long first = this.queue.enqueue("push", "hello").id();
		long second = this.queue.enqueue("push", "hello").id();
		assertThat(this.broker.ids()).containsExactlyInAnyOrder(first, second);
		assertThat(outbox()).isZero();
	}

	@Test
	void aTransactionDecidesAboutItsJobs() {
		this.transaction.executeWithoutResult((status) -> {
			this.queue.enqueue("push", "hello");
			status.setRollbackOnly();
		});
		assertThat(this.broker.ids()).isEmpty();
		assertThat(outbox()).isZero();
		this.transaction.executeWithoutResult((status) -> this.queue.enqueue("push", "hello"));
		assertThat(outbox()).isOne();
	}

	@Test
	void severalJobsAndThoseThatAreNotCarriedAreStored() {
		this.queue.enqueueAll(List.of(JobRequest.of("push", 1), JobRequest.of("push", 2)));
		this.queue.enqueue(JobRequest.of("push", 3).uniqueKey("a"));
		this.queue.enqueue(JobRequest.of("push", 4).inDatabase());
		assertThat(this.broker.ids()).isEmpty();
		assertThat(outbox()).isEqualTo(2);
		assertThat(this.engine.jobs()).isEqualTo(2);
	}

	@Test
	void theOutboxKeepsAJobThatTheBrokerMayLack() {
		this.broker.unanswered(1);
		long id = this.queue.enqueue("push", "hello").id();
		assertThat(this.broker.ids()).as("the broker has stored it without an answer").isEqualTo(Set.of(id));
		assertThat(this.engine.number("select id from rowqueue.outbox")).as("the same id").isEqualTo(id);
	}

	@Test
	void theOutboxKeepsJobsWhileTheBrokerDoesNotAnswer() {
		this.broker.unanswered(1);
		this.queue.enqueue("push", "hello");
		this.queue.enqueue("push", "hello");
		assertThat(this.broker.published()).isOne();
		assertThat(outbox()).isEqualTo(2);
	}

	@Test
	void theOutboxKeepsItAlsoIfConnectionsDoNotCommitByThemselves() {
		this.pool.setAutoCommit(false);
		this.broker.unanswered(1);
		long id = this.queue.enqueue("push", "hello").id();
		assertThat(this.engine.number("select coalesce(max(id), 0) from rowqueue.outbox")).isEqualTo(id);
	}

	/** The relay moves it to the jobs that workers run from the database. */
	@Test
	void theOutboxKeepsAJobThatTheBrokerRefuses() {
		this.broker.maxPayload(10);
		long id = this.queue.enqueue("push", "longer than that").id();
		assertThat(this.broker.published()).isZero();
		assertThat(this.engine.number("select id from rowqueue.outbox")).isEqualTo(id);
		long other = this.queue.enqueue("push", "hello").id();
		assertThat(this.broker.ids()).as("it takes others").containsExactly(other);
	}

	@Test
	void aJobWhoseProcessDiesBeforeItsCallerHasTheIdRunsOnce() {
		List<Long> runs = new CopyOnWriteArrayList<>();
		JobQueue dying = this.stores.queue(this.pool, this.stores.wakeUps(), new JobEndings(),
				MemoryBroker.carriage(new Dying(this.broker.client())));
		assertThatExceptionOfType(Death.class).isThrownBy(() -> dying.enqueue("push", "hello"));
		this.engine.process()
			.with(MemoryBroker.carriedBy(this.broker.client()))
			.handle("push", (payload, context) -> runs.add(context.id()))
			.start();
		await().until(() -> runs.size() == 1 && this.broker.size() == 0);
		assertThat(this.broker.published()).as("nothing publishes it again").isOne();
		assertThat(outbox() + this.engine.jobs()).isZero();
	}

	/** Nothing of the process goes on after the broker has stored a job. */
	private record Dying(JobTransport transport) implements JobTransport {

		@Override
		public String name() {
			return this.transport.name();
		}

		@Override
		public Set<String> types() {
			return this.transport.types();
		}

		@Override
		public TransportSettings settings() {
			return this.transport.settings();
		}

		@Override
		public JobConsumer createConsumer(String type) {
			return this.transport.createConsumer(type);
		}

		@Override
		public JobPublisher createPublisher() {
			JobPublisher publisher = this.transport.createPublisher();
			return new JobPublisher() {

				@Override
				public List<JobMessage> publish(List<JobMessage> jobs) throws InterruptedException {
					publisher.publish(jobs);
					throw new Death();
				}

				@Override
				public void close() {
					publisher.close();
				}

			};
		}

	}

	private static final class Death extends RuntimeException {

	}

	private long outbox() {
		return this.engine.count("outbox");
	}

}

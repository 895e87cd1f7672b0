package io.pgqueue.autoconfigure.shard;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

import javax.sql.DataSource;

import io.pgqueue.JobHandlers;
import io.pgqueue.JobQueue;
import io.pgqueue.autoconfigure.Applications;
import io.pgqueue.autoconfigure.TestDatabase;
import io.pgqueue.shard.Shard;
import io.pgqueue.shard.Shards;
import io.pgqueue.transport.Delivery;
import io.pgqueue.transport.JobConsumer;
import io.pgqueue.transport.JobMessage;
import io.pgqueue.transport.JobPublisher;
import io.pgqueue.transport.JobTransport;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.slf4j.MDC;
import org.springframework.boot.health.contributor.Status;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

/** An application with a database that is only a place to enqueue. */
class OutboxShardTests {

	private final TestDatabase home = new TestDatabase();

	private final TestDatabase billing = new TestDatabase();

	private final Map<Long, String> ran = new ConcurrentHashMap<>();

	private final ApplicationContextRunner application = Applications.on(this.home)
		.withBean("homeDataSource", DataSource.class, this.home::dataSource, (bean) -> bean.setPrimary(true))
		.withBean("billingDataSource", DataSource.class, this.billing::dataSource, (bean) -> bean.setPrimary(false))
		.withPropertyValues("pgqueue.shards.billing.datasource=billingDataSource", "pgqueue.shards.billing.role=outbox",
				"management.health.pgqueue.enabled=true")
		.withBean(JobHandlers.Registrar.class, () -> (handlers) -> handlers.add("note", Integer.class,
				(number, job) -> this.ran.put(job.id(), String.valueOf(MDC.get(ShardAttemptScope.SHARD)))));

	@Test
	void jobsThatAreEnqueuedThereRunInAnotherShard() {
		this.application.run((context) -> {
			assertThat(context).hasNotFailed();
			assertThat(context.getBean(Shards.class).list()).extracting(Shard::name, Shard::outbox)
				.containsExactly(tuple("home", false), tuple("billing", true));
			long id = enqueueInBilling(context);
			assertThat(context.getBean(Shards.class).of(id)).map(Shard::name).contains("billing");
			Awaitility.await().until(() -> this.ran.containsKey(id));
			assertThat(this.ran).containsEntry(id, "home");
			assertThat(context.getBean(JobQueue.class).find(id)).isPresent();
			assertThat(this.billing.count("select count(*) from pgqueue.worker")).as("no worker claims there").isZero();
			assertThat(this.billing.count("select count(*) from pgqueue.shard_identity where outbox")).isOne();
			assertThat(context.getBean(ShardsHealthIndicator.class).health().getStatus()).isEqualTo(Status.UP);
		});
	}

	@Test
	void theHomeShardIsNoOutbox() {
		this.application
			.withPropertyValues("pgqueue.shards.main.datasource=homeDataSource", "pgqueue.shards.main.role=outbox")
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.hasMessageContaining("pgqueue.shards.main.role"));
	}

	@Test
	void aBrokerGetsTheJobsOfAllShardsAndTheHomeShardReceivesThem() {
		Broker broker = new Broker();
		TestDatabase eu = new TestDatabase();
		this.application.withBean(JobTransport.class, () -> broker)
			.withPropertyValues("pgqueue.shards.eu.url=" + eu.url(),
					"pgqueue.shards.eu.username=" + eu.address().username(),
					"pgqueue.shards.eu.password=" + eu.address().password())
			.run((context) -> {
				long one = enqueueInBilling(context);
				long two = context.getBean(Shards.class).queue("eu").enqueue("note", 2).id();
				long three = context.getBean(Shards.class).queue("home").enqueue("note", 3).id();
				Awaitility.await().until(() -> broker.published.containsAll(List.of(one, two, three)));
				Awaitility.await().until(() -> broker.consumers.get() > 0);
				assertThat(eu.count("select count(*) from pgqueue.worker")).as("it has a worker").isOne();
			});
		assertThat(broker.consumers).as("consumers of the type").hasValue(1);
	}

	private long enqueueInBilling(ApplicationContext context) {
		TransactionTemplate transaction = new TransactionTemplate(
				new DataSourceTransactionManager(context.getBean("billingDataSource", DataSource.class)));
		return Objects
			.requireNonNull(transaction.execute((status) -> context.getBean(JobQueue.class).enqueue("note", 1).id()));
	}

	/** A broker that delivers nothing. */
	private static final class Broker implements JobTransport {

		private final ConcurrentLinkedQueue<Long> published = new ConcurrentLinkedQueue<>();

		private final AtomicInteger consumers = new AtomicInteger();

		@Override
		public String name() {
			return "a broker";
		}

		@Override
		public Set<String> types() {
			return Set.of("note");
		}

		@Override
		public JobPublisher createPublisher() {
			return new JobPublisher() {

				@Override
				public void publish(List<JobMessage> jobs) {
					jobs.forEach((job) -> Broker.this.published.add(job.id()));
				}

				@Override
				public void close() {
					// nothing is open
				}

			};
		}

		@Override
		public JobConsumer createConsumer(String type) {
			this.consumers.incrementAndGet();
			return new Silent();
		}

	}

	/** A consumer to which nothing is delivered. */
	private static final class Silent implements JobConsumer {

		private final CountDownLatch woken = new CountDownLatch(1);

		@Override
		public List<Delivery> poll(int max, Duration timeout) throws InterruptedException {
			this.woken.await(timeout.toMillis(), TimeUnit.MILLISECONDS);
			return List.of();
		}

		@Override
		public void wakeUp() {
			this.woken.countDown();
		}

		@Override
		public void acknowledge(Collection<Delivery> deliveries) {
			// there are none
		}

		@Override
		public void release(Collection<Delivery> deliveries) {
			// there are none
		}

		@Override
		public void renew(Collection<Delivery> deliveries) {
			// there are none
		}

		@Override
		public boolean isRevoked(Delivery delivery) {
			return false;
		}

		@Override
		public void onAcknowledgeFailure(Consumer<Collection<Delivery>> listener) {
			// none fails
		}

		@Override
		public void close() {
			// nothing is open
		}

	}

}

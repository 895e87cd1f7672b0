package io.rowqueue.autoconfigure.shard;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;

import javax.sql.DataSource;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.rowqueue.JobHandlers;
import io.rowqueue.JobQueue;
import io.rowqueue.autoconfigure.Applications;
import io.rowqueue.autoconfigure.TestDatabase;
import io.rowqueue.shard.Shard;
import io.rowqueue.shard.Shards;
import io.rowqueue.testing.ListBroker;
import io.rowqueue.transport.JobTransport;
import io.rowqueue.engine.database.TransactionEndListener;
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
		.withPropertyValues("rowqueue.shards.billing.datasource=billingDataSource",
				"rowqueue.shards.billing.role=outbox", "management.health.rowqueue.enabled=true")
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
			assertThat(this.billing.count("select count(*) from rowqueue.worker")).as("no worker claims there")
				.isZero();
			assertThat(this.billing.count("select count(*) from rowqueue.shard_identity where outbox")).isOne();
			assertThat(context.getBean(ShardsHealthIndicator.class).health().getStatus()).isEqualTo(Status.UP);
		});
	}

	@Test
	void theAgeOfTheFirstJobIsPartOfTheHealthAndAMeter() {
		this.application.withBean(MeterRegistry.class, SimpleMeterRegistry::new).run((context) -> {
			Gauge age = context.getBean(MeterRegistry.class)
				.get("rowqueue.handover.age")
				.tag("shard", "billing")
				.gauge();
			ShardsHealthIndicator health = context.getBean(ShardsHealthIndicator.class);
			assertThat(health.health().getStatus()).isEqualTo(Status.UP);
			this.billing.execute("insert into rowqueue.shard_handover (target, buckets, at)"
					+ " values (900, '{}', clock_timestamp() - interval '3 hours')"); // no
																						// such
																						// shard
			Awaitility.await().until(() -> age.value() > 10_000);
			assertThat(health.health().getStatus().getCode()).isEqualTo("DEGRADED");
			assertThat(health.health().getDetails().get("billing").toString())
				.contains("The first job has waited for 3 h to be handed over to another shard");
			this.billing.execute("delete from rowqueue.shard_handover");
			Awaitility.await().until(() -> age.value() == 0);
			assertThat(health.health().getStatus()).isEqualTo(Status.UP);
		});
	}

	@Test
	void theHomeShardIsNoOutbox() {
		this.application
			.withPropertyValues("rowqueue.shards.main.datasource=homeDataSource", "rowqueue.shards.main.role=outbox")
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.hasMessageContaining("rowqueue.shards.main.role"));
	}

	@Test
	void aBrokerGetsTheJobsOfAllShardsAndTheHomeShardReceivesThem() {
		ListBroker broker = new ListBroker();
		TestDatabase eu = new TestDatabase();
		this.application.withBean(JobTransport.class, () -> broker)
			.withPropertyValues("rowqueue.shards.eu.url=" + eu.url(),
					"rowqueue.shards.eu.username=" + eu.address().username(),
					"rowqueue.shards.eu.password=" + eu.address().password())
			.run((context) -> {
				long one = enqueueInBilling(context);
				long two = context.getBean(Shards.class).queue("eu").enqueue("note", 2).id();
				long three = context.getBean(Shards.class).queue("home").enqueue("note", 3).id();
				Awaitility.await().until(() -> broker.published().containsAll(List.of(one, two, three)));
				Awaitility.await().until(() -> broker.consumers() > 0);
				Awaitility.await("it has a worker").until(() -> eu.count("select count(*) from rowqueue.worker") == 1);
			});
		assertThat(broker.consumers()).as("consumers of the type").isOne();
	}

	private long enqueueInBilling(ApplicationContext context) {
		TransactionTemplate transaction = new TransactionTemplate(TransactionEndListener
			.addTo(new DataSourceTransactionManager(context.getBean("billingDataSource", DataSource.class))));
		return Objects
			.requireNonNull(transaction.execute((status) -> context.getBean(JobQueue.class).enqueue("note", 1).id()));
	}

}

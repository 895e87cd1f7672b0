package io.rowqueue.shard.autoconfigure;

import java.util.List;

import io.rowqueue.JobHandlers;
import io.rowqueue.autoconfigure.Applications;
import io.rowqueue.autoconfigure.TestDatabase;
import io.rowqueue.shard.Shards;
import io.rowqueue.testing.ListBroker;
import io.rowqueue.transport.JobTransport;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import static org.assertj.core.api.Assertions.assertThat;

/** Several shards publish to one broker. */
class CarriedJobsOfShardsTests {

	@RegisterExtension
	private final TestDatabase home = new TestDatabase();

	@RegisterExtension
	private final TestDatabase eu = new TestDatabase();

	@Test
	void aBrokerGetsTheJobsOfAllShardsAndTheHomeShardReceivesThem() {
		ListBroker broker = new ListBroker();
		Applications.on(this.home)
			.withPropertyValues(this.eu.address().properties("rowqueue.shards.eu"))
			.withInitializer(Applications.awaitingShards("eu"))
			.withBean(JobTransport.class, () -> broker)
			.withBean(JobHandlers.Registrar.class,
					() -> (handlers) -> handlers.add("note", Integer.class, (number, job) -> {
					}))
			.run((context) -> {
				long one = context.getBean(Shards.class).queue("eu").enqueue("note", 1).id();
				long two = context.getBean(Shards.class).queue("home").enqueue("note", 2).id();
				Awaitility.await().until(() -> broker.published().containsAll(List.of(one, two)));
				Awaitility.await().until(() -> broker.consumers() > 0);
				Awaitility.await("it has a worker")
					.until(() -> this.eu.count("select count(*) from rowqueue.worker") == 1);
			});
		assertThat(broker.consumers()).as("consumers of the type").isOne();
	}

}

package io.rowqueue.shard.autoconfigure;

import io.rowqueue.autoconfigure.Applications;
import io.rowqueue.autoconfigure.TestDatabase;
import io.rowqueue.autoconfigure.connection.WorkerConnections;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import static org.assertj.core.api.Assertions.assertThat;

/** The address for notifications leads past a pooler to one server. */
class NotificationsOfShardsTests {

	@RegisterExtension
	private final TestDatabase home = new TestDatabase();

	@RegisterExtension
	private final TestDatabase eu = new TestDatabase();

	@Test
	void onlyTheHomeShardListensAtTheAddressOfTheProperties() {
		Applications.on(this.home)
			.withPropertyValues(this.eu.address().properties("rowqueue.shards.eu"))
			.withInitializer(Applications.awaitingShards("eu"))
			.withPropertyValues("rowqueue.worker.enabled=false", "rowqueue.notifications.url=" + this.home.url())
			.run((context) -> {
				assertThat(context).hasNotFailed();
				assertThat(context.getBean(WorkerConnections.class).direct()).isNotNull();
				ShardBeans shards = context.getBean(ShardBeans.class);
				assertThat(shards.context("eu").orElseThrow().getBean(WorkerConnections.class).direct())
					.as("its session would listen in the database of the home shard")
					.isNull();
			});
	}

}

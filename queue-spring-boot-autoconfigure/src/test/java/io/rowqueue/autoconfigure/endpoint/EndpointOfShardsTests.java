package io.rowqueue.autoconfigure.endpoint;

import io.rowqueue.JobQueue;
import io.rowqueue.autoconfigure.Applications;
import io.rowqueue.autoconfigure.TestDatabase;
import io.rowqueue.shard.Shards;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.springframework.boot.actuate.endpoint.SecurityContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;

/** The endpoint reads and changes the home shard, or the one that a request names. */
class EndpointOfShardsTests {

	@RegisterExtension
	private final TestDatabase home = new TestDatabase();

	@RegisterExtension
	private final TestDatabase eu = new TestDatabase();

	private final ApplicationContextRunner application = Applications.on(this.home)
		.withPropertyValues(this.eu.address().properties("rowqueue.shards.eu"))
		.withInitializer(Applications.awaitingShards("eu"))
		.withPropertyValues("rowqueue.shards.us.url=jdbc:postgresql://localhost:1/none",
				"rowqueue.worker.enabled=false", "management.endpoints.web.exposure.include=rowqueue");

	@Test
	void aRequestReadsTheShardThatItNames() {
		this.application.run((context) -> {
			JobQueue europe = context.getBean(Shards.class).queue("eu");
			long id = europe.enqueue("note", 1).id();
			QueueEndpointWebExtension endpoint = context.getBean(QueueEndpointWebExtension.class);
			assertThat(job(endpoint, id, "eu")).isEqualTo(200);
			assertThat(job(endpoint, id, null)).as("not in the home shard").isEqualTo(404);
			assertThat(endpoint.overview(SecurityContext.NONE, "eu").getBody()).isInstanceOfSatisfying(
					Reports.Overview.class, (overview) -> assertThat(overview.queues()).containsOnlyKeys("default"));
			assertThat(endpoint.overview(SecurityContext.NONE, null).getBody())
				.isInstanceOfSatisfying(Reports.Overview.class, (overview) -> assertThat(overview.queues()).isEmpty());
		});
	}

	private static int job(QueueEndpointWebExtension endpoint, long id, String shard) {
		return endpoint.job(SecurityContext.NONE, "jobs", String.valueOf(id), shard).getStatus();
	}

	@Test
	void anActionChangesTheShardThatItNames() {
		this.application.run((context) -> {
			assertThat(pause(context, "eu")).isEqualTo(200);
			assertThat(this.eu.count("select count(*) from rowqueue.pause")).isOne();
			assertThat(this.eu.count("select count(*) from rowqueue.operation")).isOne();
			assertThat(this.home.count("select count(*) from rowqueue.pause")).isZero();
			assertThat(pause(context, null)).isEqualTo(200);
			assertThat(this.home.count("select count(*) from rowqueue.pause")).isOne();
			assertThat(pause(context, "asia")).as("there is none").isEqualTo(400);
			assertThat(pause(context, "us")).as("it is not available").isEqualTo(503);
		});
	}

	private static int pause(ApplicationContext context, String shard) {
		return context.getBean(QueueEndpointWebExtension.class)
			.operate(SecurityContext.NONE, "queues", "default", "pause", "test", shard)
			.getStatus();
	}

}

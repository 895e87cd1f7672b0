package io.rowqueue.shard.autoconfigure;

import io.rowqueue.JobHandlers;
import io.rowqueue.autoconfigure.Applications;
import io.rowqueue.autoconfigure.TestDatabase;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.Status;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;

/** What the log and the health tell about a shard that goes away and comes back. */
@ExtendWith(OutputCaptureExtension.class)
class ShardOutageTests {

	private static final String AWAY = "Shard eu: The database is not available";

	private static final String BACK = "Shard eu: The database is available again after";

	@RegisterExtension
	private final TestDatabase home = new TestDatabase();

	@RegisterExtension
	private final TestDatabase eu = new TestDatabase();

	/** Read while it admits everybody. */
	private final String name = this.eu.name();

	private final ApplicationContextRunner application = Applications.on(this.home)
		.withBean(JobHandlers.Registrar.class,
				() -> (handlers) -> handlers.add("note", Integer.class, (number, job) -> {
				}))
		.withPropertyValues(this.eu.address().properties("rowqueue.shards.eu"))
		.withInitializer(Applications.awaitingShards("eu"))
		.withPropertyValues("management.health.rowqueue.enabled=true");

	@Test
	void anOutageOfAShardIsLoggedOnceWhenItBeginsAndOnceWhenItEnds(CapturedOutput output) {
		this.application.run((context) -> {
			Awaitility.await().until(() -> isUp(context));
			allowConnections(false);
			Awaitility.await().until(() -> !isUp(context));
			assertThat(health(context).toString()).contains("The database is not available");
			allowConnections(true);
			Awaitility.await().until(() -> isUp(context));
			assertThat(output.toString().split(AWAY, -1)).hasSize(2);
			assertThat(output.toString().split(BACK, -1)).hasSize(2);
		});
	}

	@Test
	void theHealthOfAShardNamesWhatFailsBesideItsWorker(CapturedOutput output) {
		this.application.run((context) -> {
			this.eu.execute("alter table rowqueue.shard_bucket rename to bucket_of_somebody_else");
			Awaitility.await()
				.untilAsserted(() -> assertThat(health(context).toString()).contains("failing.rowqueue-shard-eu"));
			this.eu.execute("alter table rowqueue.bucket_of_somebody_else rename to shard_bucket");
			Awaitility.await().until(() -> isUp(context));
			assertThat(output).contains("Shard eu: rowqueue-shard-eu works again");
		});
	}

	/** Makes the database of the shard refuse everybody, and takes that back. */
	private void allowConnections(boolean allow) {
		this.home.execute("alter database " + this.name + " with allow_connections " + allow);
		if (!allow) {
			this.home.count("select count(pg_terminate_backend(pid)) from pg_stat_activity where datname = '"
					+ this.name + "'");
		}
	}

	private static Health health(ApplicationContext context) {
		return context.getBean(ShardsHealthIndicator.class).health();
	}

	private static boolean isUp(ApplicationContext context) {
		return health(context).getStatus().equals(Status.UP);
	}

}

package io.rowqueue.shard.autoconfigure;

import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

import io.rowqueue.JobHandlers;
import io.rowqueue.JobQueue;
import io.rowqueue.JobRequest;
import io.rowqueue.autoconfigure.Applications;
import io.rowqueue.autoconfigure.TestDatabase;
import io.rowqueue.engine.database.PendingTables;
import io.rowqueue.engine.support.Outage;
import io.rowqueue.limit.JobLimits;
import io.rowqueue.limit.LimitView;
import io.rowqueue.postgres.PrivatePostgres;
import io.rowqueue.postgres.StopMode;
import io.rowqueue.shard.Shard;
import io.rowqueue.shard.Shards;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.health.contributor.Status;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.CannotCreateTransactionException;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowable;

/** An application starts while the home shard is away, and uses it when it is back. */
@Execution(ExecutionMode.CONCURRENT)
class HomeShardAwayTests {

	private static final JobRequest KEYED = JobRequest.of("note", 1).uniqueKey("a");

	@RegisterExtension
	private final TestDatabase eu = new TestDatabase();

	private final Set<Long> ran = ConcurrentHashMap.newKeySet();

	private PrivatePostgres server;

	private ApplicationContextRunner application;

	@BeforeEach
	void createServer(@TempDir Path directory) {
		this.server = PrivatePostgres.create(directory.resolve("home"), Map.of());
		this.application = Applications.withStarter()
			.withPropertyValues(this.server.database().properties("spring.datasource"))
			.withPropertyValues(this.eu.address().properties("rowqueue.shards.eu"))
			.withPropertyValues("spring.datasource.hikari.connection-timeout=2000",
					"management.health.rowqueue.enabled=true")
			.withBean(JobHandlers.Registrar.class,
					() -> (handlers) -> handlers.add("note", Integer.class, (number, job) -> this.ran.add(job.id())));
	}

	@AfterEach
	void stopServer() {
		this.server.close();
	}

	@Test
	void theOtherShardsServeUntilItIsBack() {
		long[] waiting = new long[1];
		this.application.withPropertyValues("rowqueue.worker.enabled=false")
			.run((context) -> waiting[0] = enqueue(context.getBean(JobQueue.class), KEYED));
		this.server.stop(StopMode.IMMEDIATE);
		this.application.withInitializer(Applications.awaitingShards("eu")).run((context) -> {
			assertThat(context).hasNotFailed();
			JobQueue queue = context.getBean(JobQueue.class);
			assertThat(context.getBean(Shards.class).list()).extracting(Shard::name).containsExactly("eu");
			long plain = queue.enqueue("note", 2).id();
			assertThat(context.getBean(Shards.class).of(plain)).map(Shard::name).contains("eu");
			Awaitility.await().until(() -> this.ran.contains(plain));
			assertThat(queue.find(plain)).isPresent();
			assertThat(catchThrowable(() -> queue.enqueue(KEYED)))
				.as("a job whose key belongs to the home shard is refused")
				.isInstanceOfAny(DataAccessException.class, CannotCreateTransactionException.class);
			assertThat(health(context)).isEqualTo("DEGRADED");
			this.server.start();
			Awaitility.await().until(() -> this.ran.contains(waiting[0]));
			long next = enqueue(queue, KEYED);
			Awaitility.await().until(() -> this.ran.contains(next));
			assertThat(context.getBean(Shards.class).list()).extracting(Shard::name).containsExactly("home", "eu");
			Awaitility.await().until(() -> health(context).equals(Status.UP.getCode()));
		});
		this.server.stop(StopMode.FAST);
	}

	@Test
	void itsTablesAreCreatedWhenItIsThere() {
		this.server.stop(StopMode.IMMEDIATE);
		this.application.run((context) -> {
			assertThat(context).hasNotFailed();
			JobQueue queue = context.getBean(JobQueue.class);
			assertThatExceptionOfType(Exception.class).as("a new shard has no number yet")
				.isThrownBy(() -> queue.enqueue("note", 1));
			this.server.start();
			Awaitility.await().until(() -> context.getBean(Shards.class).list().size() == 2);
			assertThat(context.getBean(Shards.class).list()).extracting(Shard::name).containsExactly("home", "eu");
			long id = enqueue(context.getBean(Shards.class).queue("home"), JobRequest.of("note", 1));
			Awaitility.await().until(() -> this.ran.contains(id));
		});
		this.server.stop(StopMode.FAST);
	}

	@Test
	void limitsOfThePropertiesAreStoredWhenItIsThere() {
		this.server.stop(StopMode.IMMEDIATE);
		this.application.withPropertyValues("rowqueue.limits.queues.slow.concurrency=3").run((context) -> {
			assertThat(context).hasNotFailed();
			this.server.start();
			Awaitility.await().until(() -> context.getBean(Shards.class).list().size() == 2);
			JobLimits home = context.getBean("rowqueueJobLimits", JobLimits.class);
			Awaitility.await().until(() -> !home.list().isEmpty());
			assertThat(home.list()).extracting(LimitView::name).containsExactly("slow");
		});
		this.server.stop(StopMode.FAST);
	}

	@Test
	void itsWorkerStartsAfterAFirstUseThatFailed() {
		long[] waiting = new long[1];
		this.application.withPropertyValues("rowqueue.worker.enabled=false")
			.run((context) -> waiting[0] = enqueue(context.getBean(JobQueue.class), KEYED));
		execute("alter table rowqueue.shard_identity rename to shard_identity_away");
		this.server.stop(StopMode.IMMEDIATE);
		this.application.run((context) -> {
			assertThat(context).hasNotFailed();
			this.server.start();
			Outage outage = context.getBean(Outage.class);
			Awaitility.await().until(() -> outage.failing().containsKey(PendingTables.HOME_LOOP));
			execute("alter table rowqueue.shard_identity_away rename to shard_identity");
			context.getBean(Shards.class).refresh();
			Awaitility.await().until(() -> this.ran.contains(waiting[0]));
		});
		this.server.stop(StopMode.FAST);
	}

	/** The pool gives up after two seconds, in which a busy server starts no session. */
	private static long enqueue(JobQueue queue, JobRequest request) {
		return Awaitility.await().ignoreExceptions().until(() -> queue.enqueue(request).id(), (id) -> true);
	}

	private void execute(String sql) {
		JdbcClient.create(this.server.database().dataSource()).sql(sql).update();
	}

	private static String health(ApplicationContext context) {
		return context.getBean("rowqueueHealthIndicator", HealthIndicator.class).health().getStatus().getCode();
	}

}

package io.rowqueue.shard.autoconfigure;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import javax.sql.DataSource;

import io.rowqueue.HandlerOptions;
import io.rowqueue.JobContext;
import io.rowqueue.JobHandlers;
import io.rowqueue.JobQueue;
import io.rowqueue.JobRequest;
import io.rowqueue.JobState;
import io.rowqueue.admin.JobAdmin;
import io.rowqueue.autoconfigure.Applications;
import io.rowqueue.autoconfigure.FirstJobTests;
import io.rowqueue.autoconfigure.TestDatabase;
import io.rowqueue.control.CancelResult;
import io.rowqueue.schedule.Rhythm;
import io.rowqueue.schedule.Schedule;
import io.rowqueue.schedule.Schedules;
import io.rowqueue.shard.Shard;
import io.rowqueue.shard.ShardScope;
import io.rowqueue.shard.ShardSource;
import io.rowqueue.shard.Shards;
import io.rowqueue.window.Window;
import io.rowqueue.window.Windows;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.hibernate.autoconfigure.HibernateJpaAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.lookup.AbstractRoutingDataSource;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.TransactionTemplate;

import static org.assertj.core.api.Assertions.assertThat;

/** Transactional handlers that run in a shard need no bean of that shard. */
@Execution(ExecutionMode.CONCURRENT)
class TransactionalHandlersOfShardsTests {

	@RegisterExtension
	private final TestDatabase home = new TestDatabase();

	@RegisterExtension
	private final TestDatabase eu = new TestDatabase();

	private final ApplicationContextRunner application = Applications.on(this.home)
		.withPropertyValues(this.eu.address().properties("rowqueue.shards.eu"))
		.withInitializer(Applications.awaitingShards("eu"))
		.withPropertyValues("rowqueue.retry.initial-delay=10ms");

	@BeforeEach
	void createTables() {
		List.of(this.home, this.eu)
			.forEach((database) -> database.execute("create table account (id bigint, name text)"));
	}

	@Test
	void whatTheHandlerWritesIsCommittedInTheShardWithTheEndOfItsJob() {
		this.application.withBean(Accounts.class).run((context) -> {
			assertThat(context).hasNotFailed();
			long id = context.getBean(Shards.class).queue("eu").enqueue("open-account", null).id();
			awaitSuccess(context.getBean(JobQueue.class), id);
			assertThat(context.getBean(JobQueue.class).find(id).orElseThrow().attempt()).isEqualTo(2);
			assertThat(names(this.eu)).as("the first attempt was rolled back").containsExactly("joins", "plain");
			assertThat(names(this.home)).as("a transaction of its own").containsExactly("apart", "apart");
		});
	}

	@Test
	void jobsThatItEnqueuesAreStoredInItsTransaction() {
		this.application.withBean(Enqueuing.class).run((context) -> {
			Shards shards = context.getBean(Shards.class);
			long other = shards.queue("home").enqueue(JobRequest.of("none")).id();
			long id = shards.queue("eu").enqueue("enqueue", other).id();
			awaitSuccess(context.getBean(JobQueue.class), id);
			assertThat(this.eu.count("select count(*) from rowqueue.job where type = 'here'"))
				.as("the first attempt was rolled back")
				.isOne();
			assertThat(this.home.count("select count(*) from rowqueue.job where type = 'there'"))
				.as("not in the transaction of the shard")
				.isEqualTo(2);
			assertThat(this.home.count("select count(*) from rowqueue.job where type = 'here'")).isZero();
		});
	}

	@Test
	void whatItChangesInTheHomeShardIsChangedThere() {
		this.application.withBean(Administrating.class).run((context) -> {
			Shards shards = context.getBean(Shards.class);
			long other = shards.queue("home").enqueue(JobRequest.of("none")).id();
			long id = shards.queue("eu").enqueue("administrate", other).id();
			awaitSuccess(context.getBean(JobQueue.class), id);
			assertThat(shards.queue("home").find(other).orElseThrow().state()).isEqualTo(JobState.CANCELLED);
			for (String table : List.of("pause", "time_window", "schedule")) {
				assertThat(this.home.count("select count(*) from rowqueue." + table)).as(table).isOne();
				assertThat(this.eu.count("select count(*) from rowqueue." + table)).as(table).isZero();
			}
		});
	}

	@Test
	void itsJobsGoHomeUnlessATransactionOrAKeyDecides() {
		this.application.withPropertyValues("rowqueue.worker.enabled=false").withBean(Accounts.class).run((context) -> {
			JobQueue queue = context.getBean(JobQueue.class);
			Shards shards = context.getBean(Shards.class);
			assertThat(Stream.generate(() -> queue.enqueue("open-account", null).id()).limit(6))
				.allSatisfy((id) -> assertThat(shards.of(id)).map(Shard::name).contains("home"));
			assertThat(Stream.generate(() -> queue.enqueue("other", null).id()).limit(6))
				.anySatisfy((id) -> assertThat(shards.of(id)).map(Shard::name).contains("eu"));
		});
	}

	@Test
	void aRoutingDataSourceLeadsToTheShardAsWell() {
		ThreadLocal<String> tenant = new ThreadLocal<>();
		AbstractRoutingDataSource routing = new AbstractRoutingDataSource() {

			@Override
			protected Object determineCurrentLookupKey() {
				return tenant.get();
			}

		};
		routing.setTargetDataSources(Map.of("eu", this.eu.dataSource()));
		routing.setDefaultTargetDataSource(this.home.dataSource());
		routing.afterPropertiesSet();
		Applications.on(this.home)
			.withPropertyValues("rowqueue.retry.initial-delay=10ms")
			.withBean(DataSource.class, () -> routing)
			.withBean(ShardSource.class, () -> () -> Map.of("eu", this.eu.dataSource()))
			.withInitializer(Applications.awaitingShards("eu"))
			.withBean(ShardScope.class, () -> (shard) -> {
				tenant.set(shard);
				return tenant::remove;
			})
			.withBean(Accounts.class)
			.run((context) -> {
				long id = context.getBean(Shards.class).queue("eu").enqueue("open-account", null).id();
				awaitSuccess(context.getBean(JobQueue.class), id);
				assertThat(names(this.eu)).containsExactly("apart", "apart", "joins", "plain");
				assertThat(names(this.home)).isEmpty();
			});
	}

	@Test
	void jpaNeedsATransactionManagerOfTheShard() {
		this.application.withConfiguration(AutoConfigurations.of(HibernateJpaAutoConfiguration.class))
			.withPropertyValues("spring.jpa.hibernate.ddl-auto=none")
			.withBean(Accounts.class)
			.run((context) -> assertThat(context).getFailure()
				.hasStackTraceContaining("JpaTransactionManager")
				.hasStackTraceContaining("Declare a PlatformTransactionManager of the shard's DataSource"));
	}

	private static void awaitSuccess(JobQueue queue, long id) {
		FirstJobTests.awaitState(queue, id, JobState.SUCCEEDED);
	}

	private static List<String> names(TestDatabase database) {
		return new JdbcTemplate(database.dataSource()).queryForList("select name from account order by name",
				String.class);
	}

	private static void failTheFirst(JobContext context) {
		if (context.attempt() == 1) {
			throw new IllegalStateException("as planned");
		}
	}

	/** Writes with the application's beans, which know nothing of shards. */
	static class Accounts implements JobHandlers.Registrar {

		private final JdbcTemplate jdbc;

		private final TransactionTemplate joining;

		private final TransactionTemplate apart;

		Accounts(JdbcTemplate jdbc, PlatformTransactionManager transactions) {
			this.jdbc = jdbc;
			this.joining = new TransactionTemplate(transactions);
			this.apart = new TransactionTemplate(transactions);
			this.apart.setPropagationBehavior(TransactionDefinition.PROPAGATION_REQUIRES_NEW);
		}

		@Override
		public void register(JobHandlers handlers) {
			handlers.add("open-account", String.class, HandlerOptions.NONE.transactional(true),
					(payload, context) -> open(context));
		}

		private void open(JobContext context) {
			insert(context, "plain");
			this.joining.executeWithoutResult((status) -> insert(context, "joins"));
			this.apart.executeWithoutResult((status) -> insert(context, "apart"));
			failTheFirst(context);
		}

		private void insert(JobContext context, String name) {
			this.jdbc.update("insert into account values (?, ?)", context.id(), name);
		}

	}

	/** Uses the queue while it runs. */
	static class Enqueuing implements JobHandlers.Registrar {

		private final JobQueue queue;

		private final Shards shards;

		Enqueuing(JobQueue queue, Shards shards) {
			this.queue = queue;
			this.shards = shards;
		}

		@Override
		public void register(JobHandlers handlers) {
			handlers.add("enqueue", Long.class, HandlerOptions.NONE.transactional(true), this::enqueue);
		}

		private void enqueue(Long other, JobContext context) {
			assertThat(this.queue.find(other)).as("a job of the home shard").isPresent();
			this.queue.enqueue(JobRequest.of("here"));
			this.shards.queue("home").enqueue(JobRequest.of("there"));
			failTheFirst(context);
		}

	}

	/** Changes the queue while it runs. */
	static class Administrating implements JobHandlers.Registrar {

		private final JobAdmin admin;

		private final Windows windows;

		private final Schedules schedules;

		Administrating(JobAdmin admin, Windows windows, Schedules schedules) {
			this.admin = admin;
			this.windows = windows;
			this.schedules = schedules;
		}

		@Override
		public void register(JobHandlers handlers) {
			handlers.add("administrate", Long.class, HandlerOptions.NONE.transactional(true), this::administrate);
		}

		private void administrate(Long other, JobContext context) {
			assertThat(this.admin.cancel(other)).isEqualTo(CancelResult.CANCELLED);
			this.admin.pauseQueue("mail", "test");
			this.windows.put(Window.of("night", "UTC", "22:00-06:00"));
			this.schedules.put(Schedule.of("hourly", Rhythm.every(Duration.ofHours(1)), JobRequest.of("none")));
		}

	}

}

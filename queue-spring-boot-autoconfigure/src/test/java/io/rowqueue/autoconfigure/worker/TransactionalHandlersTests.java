package io.rowqueue.autoconfigure.worker;

import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

import javax.sql.DataSource;

import io.rowqueue.HandlerOptions;
import io.rowqueue.JobContext;
import io.rowqueue.JobHandler;
import io.rowqueue.JobHandlers;
import io.rowqueue.JobQueue;
import io.rowqueue.JobState;
import io.rowqueue.autoconfigure.Applications;
import io.rowqueue.autoconfigure.FirstJobTests;
import io.rowqueue.autoconfigure.Notes;
import io.rowqueue.autoconfigure.TestDatabase;
import io.rowqueue.autoconfigure.connection.QueueDataSource;
import jakarta.persistence.Entity;
import jakarta.persistence.EntityManager;
import jakarta.persistence.Id;
import jakarta.persistence.Table;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.hibernate.autoconfigure.HibernateJpaAutoConfiguration;
import org.springframework.boot.persistence.autoconfigure.EntityScan;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.jdbc.datasource.LazyConnectionDataSourceProxy;
import org.springframework.jdbc.datasource.TransactionAwareDataSourceProxy;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.annotation.Transactional;

import static org.assertj.core.api.Assertions.assertThat;

/** Handlers that run in the application's transactions, with each transaction manager. */
class TransactionalHandlersTests {

	@RegisterExtension
	private static final TestDatabase DATABASE = new TestDatabase();

	private final ApplicationContextRunner jdbc = Applications.on(DATABASE)
		.withPropertyValues("rowqueue.retry.initial-delay=10ms");

	@BeforeAll
	static void createTable() {
		DATABASE.execute("create table account (id bigint primary key, name text not null)");
	}

	@BeforeEach
	void forget() {
		DATABASE.execute("truncate account");
	}

	static Stream<Class<?>> proxies() {
		return Stream.of(Unproxied.class, Lazy.class, Aware.class);
	}

	@ParameterizedTest
	@MethodSource("proxies")
	void jdbcWritesEndWithTheJob(Class<?> dataSource) {
		succeedsInItsSecondAttempt(this.jdbc.withUserConfiguration(dataSource).withBean(JdbcAccounts.class));
	}

	@Test
	void jpaWritesEndWithTheJob() {
		succeedsInItsSecondAttempt(jpa().withBean(JpaAccounts.class));
	}

	@Test
	void writesThatJpaSendsWithTheCommitCanFailTheAttempt() {
		jpa().withBean(JpaAccounts.class).withPropertyValues("rowqueue.worker.max-attempts=1").run((context) -> {
			JobQueue queue = context.getBean(JobQueue.class);
			long id = queue.enqueue("nameless", null).id();
			FirstJobTests.awaitState(queue, id, JobState.FAILED);
			assertThat(queue.find(id).orElseThrow().lastError()).contains("null value in column \"name\"");
			assertThat(accounts()).isZero();
		});
	}

	@Test
	void handlersInCodeCanBeTransactional() {
		succeedsInItsSecondAttempt(this.jdbc.withUserConfiguration(InCode.class));
	}

	@Test
	void aResultIsKeptIfTheAnnotationSaysSo() {
		this.jdbc.withBean(Results.class).run((context) -> {
			JobQueue queue = context.getBean(JobQueue.class);
			long kept = queue.enqueue("kept", null).id();
			long ignored = queue.enqueue("ignored", null).id();
			FirstJobTests.awaitState(queue, kept, JobState.SUCCEEDED);
			FirstJobTests.awaitState(queue, ignored, JobState.SUCCEEDED);
			assertThat(queue.find(kept).orElseThrow().result()).isEqualTo("[1,2]");
			assertThat(queue.find(ignored).orElseThrow().result()).isNull();
		});
	}

	@Test
	void aTransactionalMethodJoins() {
		succeedsInItsSecondAttempt(this.jdbc.withBean(TransactionalAccounts.class));
	}

	@Test
	void aQueueInADatabaseOfItsOwnIsRefused() {
		this.jdbc.withUserConfiguration(OwnDatabase.class)
			.withBean(JdbcAccounts.class)
			.run((context) -> assertThat(context.getStartupFailure()).rootCause()
				.hasMessageContaining("JdbcAccounts.open(JobContext)")
				.hasMessageContaining("do not include the queue's DataSource")
				.hasMessageContaining("@QueueDataSource"));
	}

	@Test
	void severalTransactionManagersAreRefused() {
		this.jdbc.withUserConfiguration(SeveralManagers.class)
			.withBean(JdbcAccounts.class)
			.run((context) -> assertThat(context.getStartupFailure())
				.hasStackTraceContaining("several transaction managers and none is primary"));
	}

	@Test
	void severalTransactionManagersAreFineWhereNoHandlerIsTransactional() {
		this.jdbc.withUserConfiguration(SeveralManagers.class)
			.withBean(Notes.class)
			.run((context) -> assertThat(context).hasNotFailed());
	}

	private ApplicationContextRunner jpa() {
		return this.jdbc.withConfiguration(AutoConfigurations.of(HibernateJpaAutoConfiguration.class))
			.withUserConfiguration(Entities.class)
			.withPropertyValues("spring.jpa.hibernate.ddl-auto=none");
	}

	private static void succeedsInItsSecondAttempt(ApplicationContextRunner application) {
		application.run((context) -> {
			JobQueue queue = context.getBean(JobQueue.class);
			long id = queue.enqueue("open-account", null).id();
			FirstJobTests.awaitState(queue, id, JobState.SUCCEEDED);
			assertThat(queue.find(id).orElseThrow().attempt()).isEqualTo(2);
			assertThat(accounts()).as("the first attempt was rolled back").isOne();
		});
	}

	private static long accounts() {
		return DATABASE.count("select count(*) from account");
	}

	private static void failTheFirst(JobContext context) {
		if (context.attempt() == 1) {
			throw new IllegalStateException("as planned");
		}
	}

	static class JdbcAccounts {

		private final JdbcTemplate jdbc;

		JdbcAccounts(JdbcTemplate jdbc) {
			this.jdbc = jdbc;
		}

		@JobHandler(value = "open-account", transactional = true)
		void open(JobContext context) {
			this.jdbc.update("insert into account values (?, 'a')", context.leaseToken());
			failTheFirst(context);
		}

	}

	static class Results {

		@JobHandler(value = "kept", transactional = true, keepResult = true)
		List<Integer> kept() {
			return List.of(1, 2);
		}

		@JobHandler("ignored")
		List<Integer> ignored() {
			return List.of(1, 2);
		}

	}

	static class TransactionalAccounts {

		private final JdbcTemplate jdbc;

		TransactionalAccounts(JdbcTemplate jdbc) {
			this.jdbc = jdbc;
		}

		@JobHandler(value = "open-account", transactional = true)
		@Transactional
		public void open(JobContext context) {
			this.jdbc.update("insert into account values (?, 'a')", context.leaseToken());
			failTheFirst(context);
		}

	}

	static class JpaAccounts {

		private final EntityManager entities;

		private final AtomicInteger ids = new AtomicInteger();

		JpaAccounts(EntityManager entities) {
			this.entities = entities;
		}

		@JobHandler(value = "open-account", transactional = true)
		void open(JobContext context) {
			this.entities.persist(new Account(this.ids.incrementAndGet(), "a"));
			failTheFirst(context);
		}

		@JobHandler(value = "nameless", transactional = true)
		void openWithoutName() {
			this.entities.persist(new Account(this.ids.incrementAndGet(), null));
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class InCode {

		@Bean
		JobHandlers.Registrar accounts(JdbcTemplate jdbc) {
			return (handlers) -> handlers.add("open-account", String.class, HandlerOptions.NONE.transactional(true),
					(payload, context) -> {
						jdbc.update("insert into account values (?, 'a')", context.leaseToken());
						failTheFirst(context);
					});
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class Unproxied {

	}

	@Configuration(proxyBeanMethods = false)
	static class Lazy {

		@Bean
		DataSource dataSource() {
			return new LazyConnectionDataSourceProxy(DATABASE.dataSource());
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class Aware {

		@Bean
		DataSource dataSource() {
			return new TransactionAwareDataSourceProxy(DATABASE.dataSource());
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class OwnDatabase {

		@Bean(defaultCandidate = false)
		@QueueDataSource
		DataSource rowqueueDataSource() {
			return new TestDatabase().dataSource();
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class SeveralManagers {

		@Bean
		PlatformTransactionManager one(DataSource dataSource) {
			return new DataSourceTransactionManager(dataSource);
		}

		@Bean
		PlatformTransactionManager other(DataSource dataSource) {
			return new DataSourceTransactionManager(dataSource);
		}

	}

	@Configuration(proxyBeanMethods = false)
	@EntityScan(basePackageClasses = Account.class)
	static class Entities {

	}

	@Entity(name = "account")
	@Table(name = "account")
	static class Account {

		@Id
		private Long id;

		private String name;

		Account() {
		}

		Account(long id, String name) {
			this.id = id;
			this.name = name;
		}

	}

}

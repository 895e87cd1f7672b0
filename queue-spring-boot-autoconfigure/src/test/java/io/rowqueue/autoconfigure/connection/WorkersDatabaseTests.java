package io.rowqueue.autoconfigure.connection;

import java.sql.Connection;
import java.sql.SQLException;

import javax.sql.DataSource;

import com.zaxxer.hikari.HikariDataSource;
import io.rowqueue.JobQueue;
import io.rowqueue.autoconfigure.Applications;
import io.rowqueue.autoconfigure.Notes;
import io.rowqueue.autoconfigure.Notes.Note;
import io.rowqueue.autoconfigure.TestDatabase;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.SmartLifecycle;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.AbstractDataSource;

import static org.assertj.core.api.Assertions.assertThat;

/** Which database a running application uses for the queue, and how it leaves it. */
@ExtendWith(OutputCaptureExtension.class)
class WorkersDatabaseTests {

	private static final TestDatabase SHOP = TestDatabase.withoutTables();

	private static final TestDatabase QUEUE = TestDatabase.withoutTables();

	private final ApplicationContextRunner application = Applications.on(SHOP).withBean(Notes.class);

	@Test
	void jobsAndWorkersAreInTheMarkedOne() {
		this.application.withUserConfiguration(Marked.class).run((context) -> {
			context.getBean(JobQueue.class).enqueue("note", new Note("marked"));
			assertThat(context.getBean(Notes.class).await(1).get(0).text()).isEqualTo("marked");
			assertThat(SHOP.hasTable("rowqueue.job")).isFalse();
			assertThat(QUEUE.count("select count(*) from rowqueue.worker where dead_at is null")).isOne();
			assertThat(QUEUE.count("select count(*) from pg_stat_activity where datname = current_database()"
					+ " and application_name = 'rowqueue'"))
				.isPositive();
			Awaitility.await("those of other tests have ended")
				.until(() -> SHOP.count("select count(*) from pg_stat_activity where datname = current_database()"
						+ " and application_name = 'rowqueue'") == 0);
			assertThat(context.getBean(JdbcTemplate.class).queryForObject("select current_database()", String.class))
				.isEqualTo(SHOP.name());
		});
	}

	@Test
	void aWorkerRunsJobsWithAPoolOfOneConnection() {
		this.application
			.withPropertyValues("spring.datasource.hikari.maximum-pool-size=1",
					"spring.datasource.hikari.auto-commit=false", "rowqueue.schema.name=one")
			.run((context) -> {
				context.getBean(JobQueue.class).enqueue("note", new Note("one"));
				assertThat(context.getBean(Notes.class).await(1).get(0).text()).isEqualTo("one");
				assertThat(context.getBean(JdbcTemplate.class).queryForObject("show enable_seqscan", String.class))
					.isEqualTo("on");
			});
	}

	@Test
	void aWorkerRunsJobsWithADataSourceThatIsNoPool() {
		Applications.withStarter()
			.withBean(Notes.class)
			.withBean("plain", DataSource.class, SHOP::dataSource)
			.withPropertyValues("rowqueue.schema.name=plain")
			.run((context) -> {
				context.getBean(JobQueue.class).enqueue("note", new Note("plain"));
				assertThat(context.getBean(Notes.class).await(1).get(0).text()).isEqualTo("plain");
			});
	}

	@Test
	void aWorkerLeavesNoConnectionBehind(CapturedOutput output) {
		TestDatabase database = new TestDatabase();
		Applications.on(database).withBean(Notes.class).run((context) -> {
			context.getBean(JobQueue.class).enqueue("note", new Note("leaving"));
			context.getBean(Notes.class).await(1);
			Awaitility.await().until(() -> database.count("select count(*) from rowqueue.job") == 0);
		});
		Awaitility.await().until(() -> database.sessions() == 0);
		assertThat(database.count("select count(*) from rowqueue.worker")).isZero();
		assertThat(output).doesNotContain(" WARN ").doesNotContain(" ERROR ");
	}

	@Test
	void aWorkerLeavesNoConnectionBehindWhenTheStartFails() {
		TestDatabase database = new TestDatabase();
		Applications.on(database)
			.withBean(Notes.class)
			.withBean(FailsToStart.class)
			.run((context) -> assertThat(context).hasFailed());
		Awaitility.await().until(() -> database.sessions() == 0);
		assertThat(database.count("select count(*) from rowqueue.worker")).isZero();
	}

	@Test
	void aWorkerWaitsForADatabaseThatIsNotAvailableAtTheStart(CapturedOutput output) {
		this.application.withUserConfiguration(ComesAndGoes.class)
			.withPropertyValues("rowqueue.schema.name=away")
			.run((context) -> {
				assertThat(context).hasNotFailed();
				Awaitility.await().until(() -> output.getOut().contains("The database is not available"));
				context.getBean(Switch.class).away = false;
				context.getBean(JobQueue.class).enqueue("note", new Note("back"));
				assertThat(context.getBean(Notes.class).await(1).get(0).text()).isEqualTo("back");
				Awaitility.await("all who missed it have found it again")
					.until(() -> output.getOut().contains("The database is available again"));
			});
	}

	@Configuration(proxyBeanMethods = false)
	static class Marked {

		@Bean(defaultCandidate = false)
		@QueueDataSource
		HikariDataSource rowqueueDataSource() {
			HikariDataSource dataSource = new HikariDataSource();
			dataSource.setJdbcUrl(QUEUE.url());
			dataSource.setUsername(QUEUE.dataSource().getUser());
			dataSource.setPassword(QUEUE.dataSource().getPassword());
			return dataSource;
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class ComesAndGoes {

		@Bean(defaultCandidate = false)
		@QueueDataSource
		Switch rowqueueDataSource() {
			return new Switch();
		}

		@Bean
		Outage outage(@QueueDataSource Switch database) {
			return new Outage(database);
		}

	}

	private static final class Switch extends AbstractDataSource {

		private final DataSource target = SHOP.dataSource();

		private volatile boolean away;

		@Override
		public Connection getConnection() throws SQLException {
			if (this.away) {
				throw new SQLException("gone fishing", "08001");
			}
			return this.target.getConnection();
		}

		@Override
		public Connection getConnection(String username, String password) throws SQLException {
			return getConnection();
		}

	}

	/** Begins after the tables are there and before the worker starts. */
	private record Outage(Switch database) implements SmartLifecycle {

		@Override
		public void start() {
			this.database.away = true;
		}

		@Override
		public void stop() {
			this.database.away = false;
		}

		@Override
		public boolean isRunning() {
			return this.database.away;
		}

		@Override
		public int getPhase() {
			return 0;
		}

	}

	private static final class FailsToStart implements SmartLifecycle {

		@Override
		public void start() {
			throw new IllegalStateException("no");
		}

		@Override
		public void stop() {
			// it never started
		}

		@Override
		public boolean isRunning() {
			return false;
		}

		@Override
		public int getPhase() {
			return Integer.MAX_VALUE;
		}

	}

}

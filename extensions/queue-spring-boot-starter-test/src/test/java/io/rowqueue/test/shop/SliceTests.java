package io.rowqueue.test.shop;

import io.rowqueue.Job;
import io.rowqueue.JobQueue;
import io.rowqueue.admin.JobAdmin;
import io.rowqueue.engine.worker.WorkerHost;
import io.rowqueue.limit.JobLimits;
import io.rowqueue.schedule.Schedules;
import io.rowqueue.test.QueueTester;
import io.rowqueue.test.autoconfigure.AutoConfigureQueueTester;
import io.rowqueue.test.autoconfigure.QueueTest;
import io.rowqueue.window.Windows;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceTransactionManagerAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.JdbcConnectionDetails;
import org.springframework.boot.test.autoconfigure.json.JsonTest;
import org.springframework.boot.test.context.TestConfiguration;
import org.springframework.boot.testcontainers.service.connection.ServiceConnection;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.test.context.bean.override.mockito.MockitoBean;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.testcontainers.postgresql.PostgreSQLContainer;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;

/** A slice of the application: its handlers, its database, and nothing else. */
class SliceTests {

	@Nested
	@QueueTest
	class OfAllHandlers implements OnDevPostgres {

		@Autowired
		ApplicationContext context;

		@MockitoBean
		Mailer mailer;

		@Test
		void theSliceContainsOnlyComponentsWithHandlers() {
			assertThat(this.context.getBeanProvider(OrderJobs.class)).isNotEmpty();
			assertThat(this.context.getBeanProvider(Printer.class)).isNotEmpty();
			assertThat(this.context.getBeanProvider(Again.class)).isNotEmpty();
			assertThat(this.context.getBeanProvider(Reports.class)).isNotEmpty();
			assertThat(this.context.getBeanProvider(Cleaning.class)).isNotEmpty();
			assertThat(this.context.getBeanProvider(Orders.class)).isEmpty();
		}

		@Test
		void theSliceContainsTheInfrastructureOfTheQueue() {
			for (Class<?> type : new Class<?>[] { JobQueue.class, JobAdmin.class, JobLimits.class, Schedules.class,
					Windows.class, QueueTester.class, JdbcClient.class, JsonMapper.class }) {
				assertThat(this.context.getBeanProvider(type)).as(type.getName()).isNotEmpty();
			}
		}

		@Test
		void theSliceRunsNoWorker() {
			assertThat(this.context.getEnvironment().getProperty("rowqueue.worker.enabled")).isEqualTo("false");
			assertThat(this.context.containsBean("rowqueueLifecycle")).isFalse();
			assertThat(this.context.getBeanProvider(WorkerHost.class)).isEmpty();
		}

		@Test
		void theSliceIsInATransaction() {
			assertThat(TransactionSynchronizationManager.isActualTransactionActive()).isTrue();
		}

	}

	@Nested
	@QueueTest(Printer.class)
	class OfOneHandler implements OnDevPostgres {

		@Autowired
		ApplicationContext context;

		@Test
		void theRestrictedSliceContainsNoOtherHandler() {
			assertThat(this.context.getBeanProvider(Printer.class)).isNotEmpty();
			assertThat(this.context.getBeanProvider(OrderJobs.class)).isEmpty();
		}

	}

	/** A slice of another kind that has a {@code DataSource}. */
	@Nested
	@JsonTest
	@ImportAutoConfiguration({ DataSourceAutoConfiguration.class, DataSourceTransactionManagerAutoConfiguration.class })
	@AutoConfigureQueueTester
	@Import({ Reports.class, Cleaning.class })
	class OfAnotherKind implements OnDevPostgres {

		@Autowired
		JobQueue queue;

		@Autowired
		QueueTester tester;

		@AfterEach
		void clear() {
			this.tester.clear();
		}

		@Test
		void theTesterBringsTheQueue() {
			this.queue.enqueue("sales-report", null);

			assertThat(this.tester.runDue()).extracting(Job::type).containsExactly("sales-report", "clean-up");
		}

	}

	/**
	 * Connection details are what {@code @ServiceConnection} derives from a container.
	 */
	@Nested
	@QueueTest(value = Printer.class, properties = "spring.datasource.url=jdbc:postgresql://nowhere.invalid/none")
	class OnADatabaseWithConnectionDetails {

		@Autowired
		JobQueue queue;

		@Autowired
		QueueTester tester;

		@Test
		void connectionDetailsTakePrecedenceOverTheUrl() {
			this.queue.enqueue("print", 1);

			assertThat(this.tester.runDue()).hasSize(1);
		}

		@TestConfiguration(proxyBeanMethods = false)
		static class Connection {

			@Bean
			JdbcConnectionDetails details() {
				return new DevPostgresDetails();
			}

		}

	}

	/** A container that a property disables, for machines without Docker. */
	@Nested
	@QueueTest(value = Printer.class, properties = "tests.database=url")
	class OnTheUrlInsteadOfAContainer implements OnDevPostgres {

		@Autowired
		ApplicationContext context;

		@Autowired
		JobQueue queue;

		@Autowired
		QueueTester tester;

		@Test
		void aDisabledContainerIsNeitherCreatedNorStarted() {
			assertThat(this.context.getBeanProvider(PostgreSQLContainer.class)).isEmpty();

			this.queue.enqueue("print", 1);

			assertThat(this.tester.runDue()).hasSize(1);
		}

		@TestConfiguration(proxyBeanMethods = false)
		static class TestDatabase {

			@Bean
			@ServiceConnection
			@ConditionalOnProperty(name = "tests.database", havingValue = "container", matchIfMissing = true)
			PostgreSQLContainer postgres() {
				return new PostgreSQLContainer("postgres:18-alpine");
			}

		}

	}

}

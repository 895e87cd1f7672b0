package io.pgqueue.test.shop;

import io.pgqueue.JobQueue;
import io.pgqueue.admin.JobAdmin;
import io.pgqueue.engine.worker.WorkerHost;
import io.pgqueue.test.QueueTester;
import io.pgqueue.test.autoconfigure.QueueTest;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.jdbc.autoconfigure.JdbcConnectionDetails;
import org.springframework.boot.test.context.TestConfiguration;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.test.context.bean.override.mockito.MockitoBean;
import org.springframework.transaction.support.TransactionSynchronizationManager;
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
		void hasTheComponentsWithHandlersAndNoOthers() {
			assertThat(this.context.getBeanProvider(OrderJobs.class)).isNotEmpty();
			assertThat(this.context.getBeanProvider(Printer.class)).isNotEmpty();
			assertThat(this.context.getBeanProvider(Again.class)).isNotEmpty();
			assertThat(this.context.getBeanProvider(Orders.class)).isEmpty();
		}

		@Test
		void hasWhatHandlersAndTestsNeed() {
			for (Class<?> type : new Class<?>[] { JobQueue.class, JobAdmin.class, QueueTester.class, JdbcClient.class,
					JsonMapper.class }) {
				assertThat(this.context.getBeanProvider(type)).as(type.getName()).isNotEmpty();
			}
		}

		@Test
		void runsNoWorker() {
			assertThat(this.context.getEnvironment().getProperty("pgqueue.worker.enabled")).isEqualTo("false");
			assertThat(this.context.containsBean("pgqueueLifecycle")).isFalse();
			assertThat(this.context.getBeanProvider(WorkerHost.class)).isEmpty();
		}

		@Test
		void isInATransaction() {
			assertThat(TransactionSynchronizationManager.isActualTransactionActive()).isTrue();
		}

	}

	@Nested
	@QueueTest(Printer.class)
	class OfOneHandler implements OnDevPostgres {

		@Autowired
		ApplicationContext context;

		@Test
		void hasNoOther() {
			assertThat(this.context.getBeanProvider(Printer.class)).isNotEmpty();
			assertThat(this.context.getBeanProvider(OrderJobs.class)).isEmpty();
		}

	}

	/** What an annotation such as {@code @ServiceConnection} comes down to. */
	@Nested
	@QueueTest(Printer.class)
	class OnADatabaseWithConnectionDetails {

		@Autowired
		JobQueue queue;

		@Autowired
		QueueTester tester;

		@Test
		void runsJobsThere() {
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

}

package io.rowqueue.test.shop;

import javax.sql.DataSource;

import io.rowqueue.JobQueue;
import io.rowqueue.JobRequest;
import io.rowqueue.test.autoconfigure.RecordJobs;
import io.rowqueue.test.recording.RecordingJobQueue;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.autoconfigure.json.JsonTest;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.test.context.bean.override.mockito.MockitoBean;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.TransactionTemplate;

import static org.assertj.core.api.Assertions.assertThat;

/** Tests without PostgreSQL. */
class RecordedJobsTests {

	@Nested
	@SpringBootTest(properties = "spring.datasource.url=jdbc:h2:mem:shop")
	@RecordJobs
	class OnH2Tests {

		@Autowired
		JobQueue queue;

		@Autowired
		RecordingJobQueue recorded;

		@Autowired
		JdbcClient db;

		@Autowired
		PlatformTransactionManager transactions;

		@MockitoBean
		Mailer mailer;

		@Test
		void aJobIsRecordedWithTheDataAndForgottenWithThem() {
			TransactionTemplate transaction = new TransactionTemplate(this.transactions);
			transaction.executeWithoutResult((status) -> take("ada@example.org"));
			transaction.executeWithoutResult((status) -> {
				take("bob@example.org");
				status.setRollbackOnly();
			});

			assertThat(this.db.sql("select customer from book_order").query(String.class).list())
				.containsExactly("ada@example.org");
			assertThat(this.recorded.requests()).containsExactly(JobRequest.of("order-mail", "ada@example.org"));
		}

		@Test
		void aJobOfANestedTransactionThatIsRolledBackIsForgotten(@Autowired DataSource dataSource) {
			PlatformTransactionManager manager = new DataSourceTransactionManager(dataSource);
			TransactionTemplate nested = new TransactionTemplate(manager);
			nested.setPropagationBehavior(TransactionDefinition.PROPAGATION_NESTED);
			new TransactionTemplate(manager).executeWithoutResult((outer) -> {
				nested.executeWithoutResult((status) -> {
					this.queue.enqueue("order-mail", "first");
					status.setRollbackOnly();
				});
				this.queue.enqueue("order-mail", "second");
				nested.executeWithoutResult((status) -> this.queue.enqueue("order-mail", "third"));
				nested.executeWithoutResult((status) -> {
					this.queue.enqueue("order-mail", "fourth");
					status.setRollbackOnly();
				});
			});

			assertThat(this.recorded.requests()).extracting(JobRequest::payload).containsExactly("second", "third");
		}

		private void take(String customer) {
			this.db.sql("insert into book_order (customer) values (?)").param(customer).update();
			this.queue.enqueue("order-mail", customer);
		}

	}

	@Nested
	@JsonTest
	@RecordJobs
	class InASliceTests {

		@Autowired
		RecordingJobQueue queue;

		@RepeatedTest(2)
		void theJobsOfOneTestAreForgottenBeforeTheNext() {
			this.queue.enqueue("order-mail", "ada@example.org");

			assertThat(this.queue.requests()).hasSize(1);
		}

	}

}

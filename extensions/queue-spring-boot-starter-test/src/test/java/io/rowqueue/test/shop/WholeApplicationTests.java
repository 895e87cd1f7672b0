package io.rowqueue.test.shop;

import java.time.Duration;
import java.util.List;

import io.rowqueue.Job;
import io.rowqueue.JobQueue;
import io.rowqueue.JobState;
import io.rowqueue.test.QueueTester;
import io.rowqueue.test.autoconfigure.AutoConfigureQueueTester;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.test.context.bean.override.mockito.MockitoBean;
import org.springframework.transaction.annotation.Transactional;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.BDDMockito.willDoNothing;
import static org.mockito.BDDMockito.willThrow;

/** The whole application, with JPA's transactions: in one of the test, or committing. */
@SpringBootTest
@AutoConfigureQueueTester
class WholeApplicationTests implements OnDevPostgres {

	@Autowired
	Orders orders;

	@Autowired
	JobQueue queue;

	@Autowired
	JdbcClient db;

	@Autowired
	QueueTester tester;

	@MockitoBean
	Mailer mailer;

	@AfterEach
	void clear() {
		this.tester.clear();
	}

	@Test
	@Transactional
	void jobsRunInATransactionOfJpa() {
		this.orders.take("ada@example.org");

		assertThat(this.tester.runDue()).hasSize(3).extracting(Job::state).containsOnly(JobState.SUCCEEDED);
	}

	@Test
	void eachStepIsCommittedWithoutATransaction() {
		long order = this.orders.take("ada@example.org");

		this.tester.runDue();

		assertThat(this.tester).hasJob("invoice").hasSucceeded();
		assertThat(invoices(order)).isOne();
		assertThat(this.db.sql("select count(*) from rowqueue.worker").query(Long.class).single()).isZero();
	}

	@Test
	void aTransactionalHandlerThatFailsRollsBackAndMayTryAgain() {
		long order = this.orders.take("ada@example.org");
		willThrow(new IllegalStateException("no")).given(this.mailer).send(any(), any());
		this.tester.runDue();
		assertThat(this.tester).hasJob("invoice").hasState(JobState.SCHEDULED);
		assertThat(invoices(order)).isZero();

		willDoNothing().given(this.mailer).send(any(), any());
		this.tester.advance(Duration.ofMinutes(1));
		this.tester.runDue();

		assertThat(this.tester).hasJob("invoice").hasSucceeded().hasAttempts(2);
		assertThat(invoices(order)).isOne();
	}

	@Test
	void jobsOfOthersAreLeftAlone() {
		long other = this.queue.enqueue("print", 1).id();
		this.tester.begin();
		this.queue.enqueue("print", 2);

		List<Job> run = this.tester.runDue();
		this.tester.advance(Duration.ofDays(1));
		this.tester.clear();

		assertThat(run).extracting(Job::payload).containsExactly("2");
		assertThat(this.tester).hasNoJobs();
		assertThat(this.queue.find(other).orElseThrow().state()).isEqualTo(JobState.QUEUED);
	}

	private long invoices(long order) {
		return this.db.sql("select count(*) from invoice where book_order = ?").param(order).query(Long.class).single();
	}

}

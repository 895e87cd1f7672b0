package io.rowqueue.test.shop;

import java.time.Duration;
import java.util.List;

import io.rowqueue.Job;
import io.rowqueue.JobLogLine;
import io.rowqueue.JobQueue;
import io.rowqueue.JobRequest;
import io.rowqueue.JobState;
import io.rowqueue.test.QueueTester;
import io.rowqueue.test.autoconfigure.QueueTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.mockito.InOrder;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.context.annotation.Import;
import org.springframework.dao.InvalidDataAccessApiUsageException;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.test.context.bean.override.mockito.MockitoBean;
import org.springframework.test.context.transaction.TestTransaction;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.BDDMockito.willThrow;
import static org.mockito.Mockito.inOrder;
import static org.mockito.Mockito.verify;
import static org.mockito.Mockito.verifyNoInteractions;

/** Jobs are run in the thread and in the transaction of the test. */
@QueueTest
@Import(Orders.class)
class HandlersInATestTests implements OnDevPostgres {

	@Autowired
	Orders orders;

	@Autowired
	Printer printer;

	@Autowired
	JobQueue queue;

	@Autowired
	JdbcClient db;

	@Autowired
	QueueTester tester;

	@MockitoBean
	Mailer mailer;

	@Test
	void jobsOfTheTransactionRunWithTheJobsThatTheyEnqueue() {
		long order = this.orders.take("ada@example.org");

		List<Job> run = this.tester.runDue();

		assertThat(run).extracting(Job::type).containsExactly("order-mail", "invoice", "print");
		assertThat(run).extracting(Job::state).containsOnly(JobState.SUCCEEDED);
		verify(this.mailer).send("ada@example.org", "Thank you for your order " + order);
		assertThat(this.printer.printed()).contains(order);
	}

	@Test
	void theMostUrgentJobRunsFirst() {
		this.queue.enqueue("order-mail", new Orders.Mail(1, "later"));
		this.queue.enqueue(JobRequest.of("order-mail", new Orders.Mail(2, "first")).priority(9));
		this.queue.enqueue("order-mail", new Orders.Mail(3, "last"));

		this.tester.runDue();

		InOrder mails = inOrder(this.mailer);
		mails.verify(this.mailer).send("first", "Thank you for your order 2");
		mails.verify(this.mailer).send("later", "Thank you for your order 1");
		mails.verify(this.mailer).send("last", "Thank you for your order 3");
	}

	@Test
	void jobsCanRunOneAtATimeOrByType() {
		this.orders.take("ada@example.org");

		assertThat(this.tester.runNext().type()).isEqualTo("order-mail");
		assertThat(this.tester.runDue("print")).isEmpty();
		assertThat(this.tester.runDue("invoice", "print")).hasSize(2);
		assertThatExceptionOfType(AssertionError.class).isThrownBy(this.tester::runNext)
			.withMessageContaining("No job is due")
			.withMessageContaining("(reminder) SCHEDULED");
		assertThatIllegalArgumentException().isThrownBy(() -> this.tester.runDue("printt"))
			.withMessageContaining("'printt'")
			.withMessageContaining("print,");
	}

	@Test
	void jobsLeaveNothingBehindWhenTheTransactionIsRolledBack() {
		long order = this.orders.take("ada@example.org");
		List<Job> run = this.tester.runDue();
		assertThat(this.db.sql("select count(*) from invoice where book_order = ?")
			.param(order)
			.query(Long.class)
			.single()).isOne();

		TestTransaction.end();

		assertThat(run).allSatisfy((job) -> assertThat(this.queue.find(job.id())).isEmpty());
		assertThat(this.tester.jobs()).isEmpty();
		assertThat(this.db.sql("select count(*) from invoice where book_order = ?")
			.param(order)
			.query(Long.class)
			.single()).isZero();
		assertThat(this.db.sql("select count(*) from rowqueue.worker").query(Long.class).single()).isZero();
	}

	@Test
	void failedJobsAreRetriedLaterAndTheTransactionContinues() {
		long order = this.orders.take("ada@example.org");
		willThrow(new IllegalStateException("the mail server is away")).given(this.mailer).send(any(), any());

		this.tester.runDue();

		assertThat(this.tester).hasJob("order-mail")
			.hasState(JobState.SCHEDULED)
			.hasAttempts(1)
			.hasLastErrorContaining("the mail server is away");
		assertThat(this.tester).hasJob("invoice").hasState(JobState.SCHEDULED);
		assertThat(this.tester).hasNoJob("print");
		assertThat(this.db.sql("select count(*) from invoice where book_order = ?")
			.param(order)
			.query(Long.class)
			.single()).as("what the handler wrote before it threw").isZero();
	}

	@Test
	void whatHandlersLogIsKeptWithTheirJobs() {
		this.orders.take("ada@example.org");
		willThrow(new IllegalStateException("the mail server is away")).given(this.mailer).send(any(), any());

		this.tester.runDue("order-mail");

		assertThat(this.tester).hasJob("order-mail").hasLogged("ada@");
		assertThat(this.tester.log(this.tester.jobs("order-mail").get(0))).extracting(JobLogLine::text)
			.containsExactly("mail to ada@example.org");
		assertThat(this.tester.log(this.tester.jobs("invoice").get(0))).isEmpty();
	}

	@Test
	void aJobThatViolatesAConstraintDoesNotBreakTheTransaction() {
		long order = this.orders.take("ada@example.org");
		this.db.sql("insert into invoice (book_order, lines) values (?, 7)").param(order).update();

		this.tester.runDue();

		assertThat(this.tester).hasJob("invoice").hasLastErrorContaining("invoice_pkey");
		assertThat(this.tester).hasJob("order-mail").hasSucceeded();
	}

	@Test
	void aHandlerThatCatchesAnErrorOfTheDatabaseCannotContinueInATransaction() {
		long order = this.orders.take("ada@example.org");
		this.db.sql("insert into invoice (book_order, lines) values (?, 7)").param(order).update();
		this.queue.enqueue("careless-invoice", order);

		assertThatExceptionOfType(InvalidDataAccessApiUsageException.class)
			.isThrownBy(() -> this.tester.runDue("careless-invoice"))
			.withMessageContaining("in a test without one");
		assertThat(this.tester).hasJob("order-mail").hasState(JobState.QUEUED);
	}

	@Test
	void aJobThatFailsTooOftenFailsPermanently() {
		this.queue.enqueue(JobRequest.of("reminder", 1).maxAttempts(2));
		willThrow(new IllegalStateException("no")).given(this.mailer).send(any(), any());

		this.tester.runDue();
		this.tester.advance(Duration.ofMinutes(1));
		this.tester.runDue();

		assertThat(this.tester).hasJob("reminder").hasFailed().hasAttempts(2);
	}

	@Test
	void jobsThatAreNotDueWaitUntilTheTestMovesTheTime() {
		long order = this.orders.take("ada@example.org");
		this.tester.runDue();
		assertThat(this.tester).hasJob("reminder").hasState(JobState.SCHEDULED);

		this.tester.advance(Orders.REMIND_AFTER.minusHours(1));
		assertThat(this.tester.runDue()).isEmpty();
		this.tester.advance(Duration.ofHours(1));
		assertThat(this.tester).hasJob("reminder").hasState(JobState.QUEUED);
		this.tester.runDue();

		verify(this.mailer).send("sales", "Was order " + order + " paid?");
	}

	@Test
	void pausedJobsAreNotRun() {
		this.db.sql("insert into rowqueue.pause (kind, name) values ('queue', 'mail')").update();
		this.orders.take("ada@example.org");

		assertThat(this.tester.runDue("order-mail")).isEmpty();
		verifyNoInteractions(this.mailer);
	}

	@Test
	@Tag("thorough")
	void jobsThatEnqueueEachOtherInAnEndlessLoopEndTheTest() {
		this.queue.enqueue(JobRequest.of("next"));

		assertThatIllegalStateException().isThrownBy(this.tester::runDue)
			.withMessageContaining("Jobs enqueue other jobs in an endless loop: more than 10000 ");
	}

	@Test
	void aJobInAnEndlessLoopEndsTheTest() {
		this.queue.enqueue(JobRequest.of("again"));

		assertThatIllegalStateException().isThrownBy(this.tester::runDue).withMessageContaining("in an endless loop");
	}

}

package io.rowqueue.test.shop;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;

import io.rowqueue.Job;
import io.rowqueue.JobQueue;
import io.rowqueue.JobRequest;
import io.rowqueue.JobState;
import io.rowqueue.test.QueueTester;
import io.rowqueue.test.autoconfigure.QueueTest;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.context.annotation.Import;
import org.springframework.test.context.bean.override.mockito.MockitoBean;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** What was enqueued can be asserted, and failures tell what there is instead. */
@QueueTest
@Import(Orders.class)
class QueueAssertTests implements OnDevPostgres {

	@Autowired
	Orders orders;

	@Autowired
	JobQueue queue;

	@Autowired
	QueueTester tester;

	@MockitoBean
	Mailer mailer;

	@Test
	void theAssertionFindsNothingIfNothingWasEnqueued() {
		assertThat(this.tester).hasNoJobs();
		assertThatAssertionFails(() -> assertThat(this.tester).hasJob("order-mail"),
				"Expected 1 job of the type 'order-mail', but found 0", "Nothing was enqueued since the test began");
	}

	@Test
	void theAssertionComparesTheOptionsOfAJob() {
		long order = this.orders.take("ada@example.org");

		assertThat(this.tester).hasJobs(3).hasNoJob("print").hasJobs("invoice", 1);
		assertThat(this.tester).hasJob("order-mail")
			.hasPayload(new Orders.Mail(order, "ada@example.org"))
			.isOnQueue("mail")
			.hasPriority(5)
			.hasDelay(Duration.ZERO)
			.hasState(JobState.QUEUED)
			.hasAttempts(0);
		assertThat(this.tester).hasJob("order-mail").payload(Orders.Mail.class).extracting("order").isEqualTo(order);
		assertThat(this.tester).hasJob("reminder").hasDelay(Orders.REMIND_AFTER).hasUniqueKey("reminder-" + order);
		assertThat(this.tester).jobs().extracting(Job::type).containsExactly("order-mail", "reminder", "invoice");
		assertThat(this.tester).jobs("reminder").hasSize(1);
	}

	@Test
	void theAssertionComparesTheOutcomeOfAJob() {
		long order = this.orders.take("ada@example.org");
		this.tester.runDue();

		assertThat(this.tester).hasJob("invoice").hasSucceeded().hasAttempts(1).hasResult("R-" + order + "-1");
	}

	@Test
	void theAssertionComparesTheDueTimeOfAJob() {
		Instant time = Instant.parse("2100-01-01T12:00:00.123456789Z");
		this.queue.enqueue(JobRequest.of("print", 1).runAt(time));

		assertThat(this.tester).hasJob("print").isDueAt(time).hasPayload(1).hasState(JobState.SCHEDULED);
		assertThatAssertionFails(() -> assertThat(this.tester).hasJob("print").hasDelay(Duration.ofDays(1)),
				"Expected a delay of PT24H");
	}

	@Test
	void theAssertionComparesKeysTagsHeadersAndExpiry() {
		Instant expiry = Instant.parse("2100-01-01T12:00:00.123456789Z");
		this.queue.enqueue(JobRequest.of("print", 1)
			.limitKey("printer:7")
			.tags("customer:42", "vip")
			.header("tenant", "acme")
			.expiresAt(expiry));
		this.queue.enqueue(JobRequest.of("fold", 1).fairnessKey("tenant:42"));

		assertThat(this.tester).hasJob("print")
			.hasLimitKey("printer:7")
			.hasTags("vip")
			.hasTags("customer:42", "vip")
			.hasHeader("tenant", "acme")
			.expiresAt(expiry);
		assertThat(this.tester).hasJob("fold").hasLimitKey("fair:tenant:42");
		assertThatAssertionFails(() -> assertThat(this.tester).hasJob("print").hasTags("vip", "new"),
				"Expected the tags [vip, new], but it has [customer:42, vip]");
		assertThatAssertionFails(() -> assertThat(this.tester).hasJob("fold").hasHeader("tenant", "acme"),
				"Expected the header tenant acme, but it is null");
		assertThatAssertionFails(() -> assertThat(this.tester).hasJob("fold").expiresAt(expiry),
				"Expected the time of expiry 2100-01-01T12:00:00.123457Z, but it is null");
	}

	@Test
	void theAssertionRejectsADelayThatIsTooShortOrTooLong() {
		this.queue.enqueue(JobRequest.of("print", 1).delay(Duration.ofHours(1)));

		assertThat(this.tester).hasJob("print").hasDelay(Duration.ofHours(1));
		assertThatAssertionFails(() -> assertThat(this.tester).hasJob("print").hasDelay(Duration.ofMinutes(50)),
				"Expected a delay of PT50M");
		assertThatAssertionFails(() -> assertThat(this.tester).hasJob("print").hasDelay(Duration.ofMinutes(70)),
				"Expected a delay of PT1H10M");
	}

	@Test
	void thePayloadMayBeACollection() {
		List<Orders.Mail> mails = List.of(new Orders.Mail(7, "ada@example.org"));
		this.queue.enqueue("copy", List.of(7L, 8L));
		this.queue.enqueue("fold", Map.of("mails", mails));

		assertThat(this.tester).hasJob("copy").hasPayload(List.of(7L, 8L));
		assertThat(this.tester).hasJob("fold").hasPayload(Map.of("mails", mails));
		assertThatAssertionFails(() -> assertThat(this.tester).hasJob("copy").hasPayload(List.of(7L)),
				"Expected the payload [7], but it is [7, 8]");
	}

	@Test
	void aPayloadOfAnotherClassFailsTheAssertion() {
		this.queue.enqueue("copy", "seven");

		assertThatAssertionFails(() -> assertThat(this.tester).hasJob("copy").hasPayload(7L),
				"Expected the payload 7, but it is \"seven\"", "(copy) QUEUED on queue default");
	}

	@Test
	void theFailureMessageListsAllJobs() {
		this.queue.enqueue("print", 7);
		this.queue.enqueue("print", 8);

		assertThatAssertionFails(() -> assertThat(this.tester).hasJob("print"),
				"Expected 1 job of the type 'print', but found 2", "(print) QUEUED on queue default", "payload 7",
				"payload 8");
		assertThatAssertionFails(() -> assertThat(this.tester).hasNoJobs(), "Expected 0 jobs, but found 2");
	}

	@Test
	void theFailureMessageDescribesTheJob() {
		this.queue.enqueue("print", 7);

		assertThatAssertionFails(() -> assertThat(this.tester).hasJob("print").hasPayload(8),
				"Expected the payload 8, but it is 7");
		assertThatAssertionFails(() -> assertThat(this.tester).hasJob("print").hasNoPayload(),
				"Expected the payload null");
		assertThatAssertionFails(() -> assertThat(this.tester).hasJob("print").isOnQueue("mail"),
				"Expected the queue mail, but it is default");
		assertThatAssertionFails(() -> assertThat(this.tester).hasJob("print").hasSucceeded(),
				"Expected the state SUCCEEDED, but it is QUEUED");
		this.queue.enqueue("unknown", 7);
		assertThatAssertionFails(() -> assertThat(this.tester).hasJob("unknown").hasSucceeded(),
				"payload 7, no handler in this test");
		assertThatAssertionFails(() -> assertThat(this.tester).hasJob("print").hasLastErrorContaining("no"),
				"Expected an error with 'no'");
		assertThatAssertionFails(() -> assertThat(this.tester).hasJob("print").hasLogged("no"),
				"Expected a line of the log with 'no', but it has []");
	}

	private static void assertThatAssertionFails(Runnable assertion, String... messages) {
		assertThatExceptionOfType(AssertionError.class).isThrownBy(assertion::run)
			.satisfies((error) -> assertThat(error.getMessage()).contains(messages));
	}

}

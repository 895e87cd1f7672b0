package io.rowqueue.sample.report;

import java.time.Duration;

import io.rowqueue.JobQueue;
import io.rowqueue.JobRequest;
import io.rowqueue.JobState;
import io.rowqueue.sample.OnDevPostgres;
import io.rowqueue.test.QueueTester;
import io.rowqueue.test.autoconfigure.QueueTest;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.mockito.ArgumentCaptor;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.mail.MailSendException;
import org.springframework.mail.SimpleMailMessage;
import org.springframework.mail.javamail.JavaMailSender;
import org.springframework.test.context.bean.override.mockito.MockitoBean;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.BDDMockito.willDoNothing;
import static org.mockito.BDDMockito.willThrow;
import static org.mockito.Mockito.times;
import static org.mockito.Mockito.verify;

/**
 * The nightly report, run in the test. A transaction around the test would undo the step
 * that the failed attempt has recorded.
 */
@QueueTest(NightlyReport.class)
@Transactional(propagation = Propagation.NOT_SUPPORTED)
class NightlyReportTests implements OnDevPostgres {

	@Autowired
	JobQueue queue;

	@Autowired
	QueueTester tester;

	@Autowired
	JdbcClient jdbc;

	@MockitoBean
	JavaMailSender sender;

	@AfterEach
	void leaveNothing() {
		this.tester.clear();
		this.jdbc.sql("delete from users").update();
	}

	@Test
	void theReportMailsTheSameNumbersAgainWhenTheServerWasNotAvailable() {
		this.jdbc.sql(
				"insert into users (name, email, created_at) values ('Ada', 'ada@example.org', now() - interval '1 hour')")
			.update();
		this.queue.enqueue(JobRequest.of("nightly-report"));
		willThrow(new MailSendException("away")).given(this.sender).send(any(SimpleMailMessage.class));
		this.tester.runDue();
		assertThat(this.tester).hasJob("nightly-report").hasState(JobState.SCHEDULED);

		this.jdbc.sql("delete from users").update();
		willDoNothing().given(this.sender).send(any(SimpleMailMessage.class));
		this.tester.advance(Duration.ofMinutes(1));
		this.tester.runDue();

		assertThat(this.tester).hasJob("nightly-report").hasSucceeded();
		ArgumentCaptor<SimpleMailMessage> mails = ArgumentCaptor.forClass(SimpleMailMessage.class);
		verify(this.sender, times(2)).send(mails.capture());
		assertThat(mails.getValue().getText()).startsWith("1 sign-ups");
	}

}

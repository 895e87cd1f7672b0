package io.rowqueue.sample.mail;

import java.time.Duration;

import io.rowqueue.JobQueue;
import io.rowqueue.JobState;
import io.rowqueue.sample.OnDevPostgres;
import io.rowqueue.test.QueueTester;
import io.rowqueue.test.autoconfigure.QueueTest;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.mail.MailSendException;
import org.springframework.mail.javamail.JavaMailSender;
import org.springframework.mail.javamail.MimeMessagePreparator;
import org.springframework.test.context.bean.override.mockito.MockitoBean;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.BDDMockito.willDoNothing;
import static org.mockito.BDDMockito.willThrow;
import static org.mockito.Mockito.times;
import static org.mockito.Mockito.verify;

/** One handler, run in the test: its mail server is a mock, its queue is real. */
@QueueTest(WelcomeMailHandler.class)
class WelcomeMailHandlerTests implements OnDevPostgres {

	@Autowired
	JobQueue queue;

	@Autowired
	QueueTester tester;

	@MockitoBean
	JavaMailSender sender;

	@BeforeEach
	void aMailIsDue() {
		this.queue.enqueue(new WelcomeMail("Ada", "ada@example.org").toJob());
	}

	@Test
	void theHandlerSendsTheMailOnce() {
		this.tester.runDue();

		assertThat(this.tester).hasJob("welcome-mail").hasSucceeded();
		verify(this.sender).send(any(MimeMessagePreparator.class));
	}

	@Test
	void theHandlerSendsItLaterWhenTheServerWasNotAvailable() {
		willThrow(new MailSendException("away")).given(this.sender).send(any(MimeMessagePreparator.class));
		this.tester.runDue();
		assertThat(this.tester).hasJob("welcome-mail").hasState(JobState.SCHEDULED).hasLastErrorContaining("away");

		willDoNothing().given(this.sender).send(any(MimeMessagePreparator.class));
		this.tester.advance(Duration.ofMinutes(1));
		this.tester.runDue();

		assertThat(this.tester).hasJob("welcome-mail").hasSucceeded().hasAttempts(2);
		verify(this.sender, times(2)).send(any(MimeMessagePreparator.class));
	}

}

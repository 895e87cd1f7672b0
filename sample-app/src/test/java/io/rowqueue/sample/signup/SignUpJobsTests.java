package io.rowqueue.sample.signup;

import io.rowqueue.sample.OnDevPostgres;
import io.rowqueue.sample.mail.WelcomeMail;
import io.rowqueue.sample.webhook.Webhook;
import io.rowqueue.sample.webhook.Webhooks;
import io.rowqueue.test.QueueTester;
import io.rowqueue.test.autoconfigure.QueueTest;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.context.annotation.Import;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** What a sign-up enqueues, without running any of it. */
@QueueTest(useDefaultFilters = false)
@Import({ SignUp.class, Users.class, Webhooks.class })
class SignUpJobsTests implements OnDevPostgres {

	@Autowired
	SignUp signUp;

	@Autowired
	QueueTester tester;

	@Test
	void aSignUpEnqueuesAMailAndAWebhook() {
		User ada = this.signUp.signUp(new NewUser("Ada Lovelace", "ada@example.org"));

		assertThat(this.tester).hasJobs(2);
		assertThat(this.tester).hasJob("welcome-mail")
			.hasPayload(new WelcomeMail("Ada Lovelace", "ada@example.org"))
			.isOnQueue("mail");
		assertThat(this.tester).hasJob("webhook")
			.payload(Webhook.class)
			.extracting(Webhook::type)
			.isEqualTo("user.signed-up");
		assertThat(ada.name()).isEqualTo("Ada Lovelace");
	}

	@Test
	void aTakenAddressIsRefused() {
		this.signUp.signUp(new NewUser("Ada", "ada@example.org"));

		assertThatExceptionOfType(EmailTakenException.class)
			.isThrownBy(() -> this.signUp.signUp(new NewUser("Ada again", "Ada@example.org")));
	}

}

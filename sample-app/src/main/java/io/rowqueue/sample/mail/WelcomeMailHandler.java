package io.rowqueue.sample.mail;

import io.rowqueue.JobContext;
import io.rowqueue.JobHandler;
import jakarta.mail.internet.InternetAddress;
import jakarta.mail.internet.MimeMessage;
import org.springframework.mail.javamail.JavaMailSender;
import org.springframework.mail.javamail.MimeMessageHelper;
import org.springframework.stereotype.Component;

/** Sends welcome mails by SMTP. */
@Component
class WelcomeMailHandler {

	private final JavaMailSender sender;

	WelcomeMailHandler(JavaMailSender sender) {
		this.sender = sender;
	}

	/**
	 * If the process dies after sending the mail and before the job has finished, the
	 * mail is sent twice. The Message-ID is the same in every attempt, so that mail
	 * systems can recognize the duplicate.
	 */
	@JobHandler(WelcomeMail.TYPE)
	void send(WelcomeMail mail, JobContext job) {
		this.sender.send((message) -> write(mail, "<welcome-mail-" + job.id() + "@sample.example.org>", message));
	}

	private static void write(WelcomeMail mail, String messageId, MimeMessage message) throws Exception {
		MimeMessageHelper helper = new MimeMessageHelper(message, "UTF-8");
		helper.setFrom("hello@sample.example.org");
		helper.setTo(new InternetAddress(mail.email(), mail.name(), "UTF-8"));
		helper.setSubject("Welcome, " + mail.name());
		helper.setText("""
				Hello %s,

				it is good to have you here.
				""".formatted(mail.name()));
		message.setHeader("Message-ID", messageId);
	}

}

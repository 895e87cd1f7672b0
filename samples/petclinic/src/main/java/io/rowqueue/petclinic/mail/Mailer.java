package io.rowqueue.petclinic.mail;

import org.springframework.stereotype.Component;

/**
 * "Sends" mails by writing them to a log, so that the sample needs no mail server. A mail
 * server takes no part in the transaction: there, send the id of the job as a header, by
 * which a mail that was sent twice is recognized.
 */
@Component
public class Mailer {

	private final SentMails mails;

	Mailer(SentMails mails) {
		this.mails = mails;
	}

	/**
	 * Sends a mail, in the transaction of the caller.
	 * @param recipient who receives it
	 * @param subject the subject
	 * @param text the text
	 */
	public void send(String recipient, String subject, String text) {
		this.mails.save(new SentMail(recipient, subject, text));
	}

}

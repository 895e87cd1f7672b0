package io.rowqueue.sample.mail;

import java.io.IOException;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

import jakarta.mail.MessagingException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.subethamail.smtp.MessageContext;
import org.subethamail.smtp.RejectException;
import org.subethamail.smtp.helper.BasicMessageListener;

/** Keeps the latest mails that the embedded SMTP server received. */
class Inbox implements BasicMessageListener {

	private static final Logger logger = LoggerFactory.getLogger(Inbox.class);

	private static final int CAPACITY = 200;

	private final Deque<Mail> mails = new ArrayDeque<>();

	@Override
	public void messageArrived(MessageContext context, String from, String to, byte[] data) throws RejectException {
		try {
			Mail mail = Mail.parse(to, data, Instant.now());
			add(mail);
			logger.info("Mail \"{}\" has arrived in the inbox of {}", mail.subject(), mail.to());
		}
		catch (MessagingException | IOException ex) {
			throw new RejectException("Not readable: " + ex.getMessage());
		}
	}

	private synchronized void add(Mail mail) {
		if (this.mails.size() == CAPACITY) {
			this.mails.removeLast();
		}
		this.mails.addFirst(mail);
	}

	/** Returns the mails, the latest first. */
	synchronized List<Mail> mails() {
		return List.copyOf(this.mails);
	}

}

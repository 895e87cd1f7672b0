package io.rowqueue.sample.mail;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.time.Instant;

import jakarta.mail.MessagingException;
import jakarta.mail.Session;
import jakarta.mail.internet.MimeMessage;
import org.jspecify.annotations.Nullable;

/**
 * A received mail.
 *
 * @param messageId its {@code Message-ID}, or {@code null}
 * @param to the recipient
 * @param subject the subject, or {@code null}
 * @param text the text
 * @param receivedAt when it arrived
 */
record Mail(@Nullable String messageId, String to, @Nullable String subject, String text, Instant receivedAt) {

	static Mail parse(String recipient, byte[] data, Instant receivedAt) throws MessagingException, IOException {
		MimeMessage message = new MimeMessage((Session) null, new ByteArrayInputStream(data));
		return new Mail(message.getMessageID(), recipient, message.getSubject(), String.valueOf(message.getContent()),
				receivedAt);
	}

}

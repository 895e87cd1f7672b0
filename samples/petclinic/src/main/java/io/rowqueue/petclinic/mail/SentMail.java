package io.rowqueue.petclinic.mail;

import java.time.Instant;

import jakarta.persistence.Entity;
import jakarta.persistence.GeneratedValue;
import jakarta.persistence.GenerationType;
import jakarta.persistence.Id;
import org.jspecify.annotations.Nullable;

/** A mail of the log. */
@Entity
public class SentMail {

	@Id
	@GeneratedValue(strategy = GenerationType.IDENTITY)
	private @Nullable Long id;

	private Instant sentAt;

	private String recipient;

	private String subject;

	private String text;

	/** For JPA. */
	@SuppressWarnings("NullAway.Init")
	protected SentMail() {
	}

	SentMail(String recipient, String subject, String text) {
		this.sentAt = Instant.now();
		this.recipient = recipient;
		this.subject = subject;
		this.text = text;
	}

	/** Returns when the mail was sent. */
	public Instant getSentAt() {
		return this.sentAt;
	}

	/** Returns who receives the mail. */
	public String getRecipient() {
		return this.recipient;
	}

	/** Returns the subject. */
	public String getSubject() {
		return this.subject;
	}

	/** Returns the text. */
	public String getText() {
		return this.text;
	}

}

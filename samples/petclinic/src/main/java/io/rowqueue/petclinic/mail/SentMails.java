package io.rowqueue.petclinic.mail;

import java.util.List;

import org.springframework.data.jpa.repository.JpaRepository;

/** The log of sent mails. */
public interface SentMails extends JpaRepository<SentMail, Long> {

	/**
	 * Finds the latest mails.
	 * @return at most 100 mails
	 */
	List<SentMail> findTop100ByOrderByIdDesc();

}

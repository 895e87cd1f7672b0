package io.rowqueue.petclinic.invoice;

import jakarta.persistence.Entity;
import jakarta.persistence.Id;

/** The text of an invoice. A visit has at most one. */
@Entity
public class Invoice {

	@Id
	private Long visitId;

	private String text;

	/** For JPA. */
	@SuppressWarnings("NullAway.Init")
	protected Invoice() {
	}

	Invoice(long visitId, String text) {
		this.visitId = visitId;
		this.text = text;
	}

	/** Returns the id of the visit. */
	public Long getVisitId() {
		return this.visitId;
	}

	/** Returns the text. */
	public String getText() {
		return this.text;
	}

}

package io.rowqueue.petclinic.visit;

/** A visit cannot be booked or changed like this. */
class VisitException extends RuntimeException {

	private final String reason;

	VisitException(String reason) {
		super(reason);
		this.reason = reason;
	}

	/** Returns what to show to the user. */
	String reason() {
		return this.reason;
	}

}

package io.pgqueue.sample.contact;

import io.pgqueue.sample.FinalFailureException;

/** A row is not a contact; the message names its line. */
class BadRowException extends FinalFailureException {

	private static final long serialVersionUID = 1L;

	private final String reason;

	BadRowException(int line, String reason) {
		super("line " + line + ": " + reason);
		this.reason = reason;
	}

	String reason() {
		return this.reason;
	}

}

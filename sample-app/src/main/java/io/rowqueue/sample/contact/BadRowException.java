package io.rowqueue.sample.contact;

import io.rowqueue.FailJobException;

/** A row is not a contact; the message names its line. */
class BadRowException extends FailJobException {

	private static final long serialVersionUID = 1L;

	private final String reason;

	BadRowException(long line, String reason) {
		super("line " + line + ": " + reason);
		this.reason = reason;
	}

	String reason() {
		return this.reason;
	}

}

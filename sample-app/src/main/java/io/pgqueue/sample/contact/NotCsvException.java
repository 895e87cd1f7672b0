package io.pgqueue.sample.contact;

import io.pgqueue.sample.FinalFailureException;

/** A file cannot be read as CSV. */
class NotCsvException extends FinalFailureException {

	private static final long serialVersionUID = 1L;

	NotCsvException(String message) {
		super(message);
	}

}

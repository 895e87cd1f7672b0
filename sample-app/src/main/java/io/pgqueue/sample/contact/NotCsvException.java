package io.pgqueue.sample.contact;

import io.pgqueue.FailJobException;

/** A file cannot be read as CSV. */
class NotCsvException extends FailJobException {

	private static final long serialVersionUID = 1L;

	NotCsvException(String message) {
		super(message);
	}

}

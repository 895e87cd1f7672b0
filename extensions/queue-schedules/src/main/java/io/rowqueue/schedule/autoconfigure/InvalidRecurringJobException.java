package io.rowqueue.schedule.autoconfigure;

import io.rowqueue.JobQueueException;

/** The properties of a recurring job are invalid. */
class InvalidRecurringJobException extends JobQueueException {

	private final String property;

	InvalidRecurringJobException(String property, String problem, Throwable cause) {
		super(property + " " + problem, cause);
		this.property = property;
	}

	InvalidRecurringJobException(String property, String problem) {
		super(property + " " + problem);
		this.property = property;
	}

	String property() {
		return this.property;
	}

}

package io.pgqueue.sample.webhook;

/** The receiver answered, but not with 2xx. */
class WebhookRefusedException extends RuntimeException {

	private static final long serialVersionUID = 1L;

	WebhookRefusedException(String message) {
		super(message);
	}

}

package io.rowqueue.sample.webhook;

/** The receiver responded with a status other than 2xx. */
class WebhookRefusedException extends RuntimeException {

	private static final long serialVersionUID = 1L;

	WebhookRefusedException(String message) {
		super(message);
	}

}

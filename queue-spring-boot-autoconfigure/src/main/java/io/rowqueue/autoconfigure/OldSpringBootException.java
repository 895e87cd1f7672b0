package io.rowqueue.autoconfigure;

/** The application's Spring Boot is older than the oldest one that the queue supports. */
class OldSpringBootException extends IllegalStateException {

	OldSpringBootException(String version) {
		super("rowqueue requires Spring Boot 4.0 or newer, but the application uses " + version + ".");
	}

}

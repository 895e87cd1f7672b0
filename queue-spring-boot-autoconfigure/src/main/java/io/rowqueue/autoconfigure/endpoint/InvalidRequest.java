package io.rowqueue.autoconfigure.endpoint;

import org.springframework.boot.actuate.endpoint.InvalidEndpointRequestException;

/** Creates the exceptions for invalid requests. */
final class InvalidRequest {

	private static final String MESSAGE = "Invalid request to the queue endpoint: ";

	private InvalidRequest() {
	}

	static InvalidEndpointRequestException because(String reason) {
		return new InvalidEndpointRequestException(MESSAGE + reason, reason);
	}

	static InvalidEndpointRequestException because(String reason, Throwable cause) {
		return new InvalidEndpointRequestException(MESSAGE + reason, reason, cause);
	}

}

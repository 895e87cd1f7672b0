package io.pgqueue.autoconfigure.endpoint;

import org.springframework.boot.actuate.endpoint.InvalidEndpointRequestException;

/** Says what is wrong with a request. */
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

	/** The action is none of those that there are for things of this kind. */
	static InvalidEndpointRequestException action(OperationRequest request, String allowed) {
		return because("the action for " + allowed + ", not '" + request.action() + "'");
	}

}

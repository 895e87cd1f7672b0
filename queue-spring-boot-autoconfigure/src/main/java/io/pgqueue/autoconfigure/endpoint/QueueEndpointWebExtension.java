package io.pgqueue.autoconfigure.endpoint;

import java.security.Principal;
import java.time.Duration;
import java.util.Set;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

import org.springframework.boot.actuate.endpoint.SecurityContext;
import org.springframework.boot.actuate.endpoint.Show;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;
import org.springframework.boot.actuate.endpoint.annotation.WriteOperation;
import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;
import org.springframework.boot.actuate.endpoint.web.annotation.EndpointWebExtension;
import org.springframework.dao.DataAccessException;

/** The endpoint over HTTP: it knows who asks, and answers with a status. */
@EndpointWebExtension(endpoint = QueueEndpoint.class)
class QueueEndpointWebExtension {

	private static final int CONFLICT = 409;

	private final QueueEndpoint endpoint;

	private final Show showPayloads;

	private final Set<String> roles;

	QueueEndpointWebExtension(QueueEndpoint endpoint, Show showPayloads, Set<String> roles) {
		this.endpoint = endpoint;
		this.showPayloads = showPayloads;
		this.roles = roles;
	}

	@ReadOperation
	WebEndpointResponse<Object> overview() {
		return read(this.endpoint::overview);
	}

	@ReadOperation
	WebEndpointResponse<Object> job(SecurityContext security, @Selector String kind, @Selector String name) {
		return read(() -> this.endpoint.job(kind, name, this.showPayloads.isShown(security, this.roles)));
	}

	/** Whoever asks while the database is away is told so. */
	private static WebEndpointResponse<Object> read(Supplier<? extends @Nullable Object> report) {
		try {
			Object found = report.get();
			return (found != null) ? new WebEndpointResponse<>(found)
					: new WebEndpointResponse<>(WebEndpointResponse.STATUS_NOT_FOUND);
		}
		catch (DataAccessException ex) {
			return new WebEndpointResponse<>(OperationResult.unavailable(ex),
					WebEndpointResponse.STATUS_SERVICE_UNAVAILABLE);
		}
	}

	@WriteOperation
	WebEndpointResponse<OperationResult> operate(SecurityContext security, @Selector String kind, @Selector String name,
			String action, @Nullable String reason, @Nullable Duration delay, @Nullable Integer priority,
			@Nullable String limit) {
		Principal principal = security.getPrincipal();
		OperationResult result = this.endpoint.operate(
				new OperationRequest(kind, name, action, reason, delay, priority, limit),
				(principal != null) ? principal.getName() : null);
		return new WebEndpointResponse<>(result, switch (result.outcome()) {
			case DONE -> WebEndpointResponse.STATUS_OK;
			case NOT_FOUND -> WebEndpointResponse.STATUS_NOT_FOUND;
			case CONFLICT -> CONFLICT;
			case UNAVAILABLE -> WebEndpointResponse.STATUS_SERVICE_UNAVAILABLE;
		});
	}

}

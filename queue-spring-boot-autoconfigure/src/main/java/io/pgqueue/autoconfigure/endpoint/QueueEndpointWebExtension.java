package io.pgqueue.autoconfigure.endpoint;

import java.security.Principal;
import java.time.Duration;
import java.util.Set;

import io.pgqueue.autoconfigure.endpoint.Reports.JobReport;
import io.pgqueue.autoconfigure.endpoint.Reports.Overview;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.actuate.endpoint.SecurityContext;
import org.springframework.boot.actuate.endpoint.Show;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;
import org.springframework.boot.actuate.endpoint.annotation.WriteOperation;
import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;
import org.springframework.boot.actuate.endpoint.web.annotation.EndpointWebExtension;

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
	Overview overview(SecurityContext security) {
		return this.endpoint.overview(this.showPayloads.isShown(security, this.roles));
	}

	@ReadOperation
	@Nullable JobReport job(SecurityContext security, @Selector String kind, @Selector String name) {
		return this.endpoint.job(kind, name, this.showPayloads.isShown(security, this.roles));
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
		});
	}

}

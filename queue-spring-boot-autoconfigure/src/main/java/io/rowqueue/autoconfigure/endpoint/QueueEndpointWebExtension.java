package io.rowqueue.autoconfigure.endpoint;

import java.util.Set;
import java.util.function.Supplier;

import io.rowqueue.autoconfigure.admin.Caller;
import io.rowqueue.autoconfigure.admin.CommandResult;
import io.rowqueue.engine.database.QueueDisabledException;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.InvalidEndpointRequestException;
import org.springframework.boot.actuate.endpoint.SecurityContext;
import org.springframework.boot.actuate.endpoint.Show;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;
import org.springframework.boot.actuate.endpoint.annotation.WriteOperation;
import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;
import org.springframework.boot.actuate.endpoint.web.annotation.EndpointWebExtension;
import org.springframework.dao.DataAccessException;

/** The endpoint over HTTP: it identifies the caller, and maps results to status codes. */
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
	WebEndpointResponse<Object> overview(SecurityContext security, @Nullable String shard) {
		return read(() -> this.endpoint.overview(shard, this.showPayloads.isShown(security, this.roles),
				Caller.of(security.getPrincipal())));
	}

	@ReadOperation
	WebEndpointResponse<Object> list(SecurityContext security, @Selector String kind, @Nullable String state,
			@Nullable String queue, @Nullable String type, @Nullable String filter, @Nullable String cursor,
			@Nullable String shard) {
		return read(() -> this.endpoint.list(shard, kind, new JobListRequest(state, queue, type, filter, cursor),
				this.showPayloads.isShown(security, this.roles), Caller.of(security.getPrincipal())));
	}

	@ReadOperation
	WebEndpointResponse<Object> job(SecurityContext security, @Selector String kind, @Selector String name,
			@Nullable String shard) {
		return read(() -> this.endpoint.job(shard, kind, name, this.showPayloads.isShown(security, this.roles),
				Caller.of(security.getPrincipal())));
	}

	/** Responds with 503 while the database is not available or the queue is off. */
	private static WebEndpointResponse<Object> read(Supplier<? extends @Nullable Object> report) {
		try {
			Object found = report.get();
			return (found != null) ? new WebEndpointResponse<>(found)
					: new WebEndpointResponse<>(WebEndpointResponse.STATUS_NOT_FOUND);
		}
		catch (InvalidEndpointRequestException ex) {
			return new WebEndpointResponse<>(CommandResult.invalid(String.valueOf(ex.getReason())),
					WebEndpointResponse.STATUS_BAD_REQUEST);
		}
		catch (QueueDisabledException ex) {
			return new WebEndpointResponse<>(CommandResult.off(ex), WebEndpointResponse.STATUS_SERVICE_UNAVAILABLE);
		}
		catch (DataAccessException ex) {
			return new WebEndpointResponse<>(CommandResult.unavailable(ex),
					WebEndpointResponse.STATUS_SERVICE_UNAVAILABLE);
		}
	}

	@WriteOperation
	WebEndpointResponse<CommandResult> operate(SecurityContext security, @Selector String kind, @Selector String name,
			@Nullable String action, @Nullable String reason, @Nullable String shard) {
		return answer(
				() -> this.endpoint.operate(shard, kind, name, action, reason, Caller.of(security.getPrincipal())));
	}

	/** Boot hides the message of the exception, which says what is invalid. */
	private static WebEndpointResponse<CommandResult> answer(Supplier<CommandResult> operation) {
		CommandResult result;
		try {
			result = operation.get();
		}
		catch (InvalidEndpointRequestException ex) {
			result = CommandResult.invalid(String.valueOf(ex.getReason()));
		}
		catch (QueueDisabledException ex) {
			result = CommandResult.off(ex);
		}
		catch (DataAccessException ex) {
			result = CommandResult.unavailable(ex);
		}
		return new WebEndpointResponse<>(result, switch (result.outcome()) {
			case DONE, UNCHANGED -> WebEndpointResponse.STATUS_OK;
			case NOT_FOUND -> WebEndpointResponse.STATUS_NOT_FOUND;
			case CONFLICT, KEY_TAKEN, CHANGED -> CONFLICT;
			case UNAVAILABLE -> WebEndpointResponse.STATUS_SERVICE_UNAVAILABLE;
			case INVALID -> WebEndpointResponse.STATUS_BAD_REQUEST;
			case FAILED -> WebEndpointResponse.STATUS_INTERNAL_SERVER_ERROR;
		});
	}

}

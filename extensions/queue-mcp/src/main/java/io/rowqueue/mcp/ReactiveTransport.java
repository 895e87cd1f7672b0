package io.rowqueue.mcp;

import java.io.IOException;
import java.util.Map;
import java.util.Objects;

import io.modelcontextprotocol.common.McpTransportContext;
import io.modelcontextprotocol.json.McpJsonDefaults;
import io.modelcontextprotocol.json.McpJsonMapper;
import io.modelcontextprotocol.server.McpStatelessServerHandler;
import io.modelcontextprotocol.spec.McpSchema;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCMessage;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCNotification;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCRequest;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCResponse.JSONRPCError;
import io.modelcontextprotocol.spec.McpStatelessServerTransport;
import io.rowqueue.dashboard.DashboardCaller;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Mono;

/**
 * Passes messages to the server and its answers back. The SDK has no such transport for
 * WebFlux.
 */
final class ReactiveTransport implements McpStatelessServerTransport {

	private static final Logger logger = LoggerFactory.getLogger(ReactiveTransport.class);

	private final McpJsonMapper json = McpJsonDefaults.getMapper();

	private @Nullable McpStatelessServerHandler handler;

	@Override
	public void setMcpHandler(McpStatelessServerHandler handler) {
		this.handler = handler;
	}

	@Override
	public Mono<Void> closeGracefully() {
		return Mono.empty();
	}

	/** Answers a message of a caller who may use the server. */
	Mono<Answer> answer(DashboardCaller caller, String text) {
		JSONRPCMessage message;
		try {
			message = McpSchema.deserializeJsonRpcMessage(this.json, text);
		}
		catch (IOException | IllegalArgumentException ex) {
			return Mono.just(refusal(400, McpSchema.ErrorCodes.PARSE_ERROR, "This is no message of JSON-RPC."));
		}
		McpTransportContext context = McpTransportContext.create(Map.of(ToolCalls.CALLER, caller));
		return answer(context, message).contextWrite((view) -> view.put(McpTransportContext.KEY, context))
			.onErrorResume((ex) -> {
				logger.error("The MCP server cannot answer a message", ex);
				return Mono.just(refusal(500, McpSchema.ErrorCodes.INTERNAL_ERROR,
						"The log of the application has the reason."));
			});
	}

	private Mono<Answer> answer(McpTransportContext context, JSONRPCMessage message) {
		McpStatelessServerHandler server = Objects.requireNonNull(this.handler);
		if (message instanceof JSONRPCRequest request) {
			return server.handleRequest(context, request).map((response) -> new Answer(200, text(response)));
		}
		if (message instanceof JSONRPCNotification notification) {
			return server.handleNotification(context, notification).thenReturn(new Answer(202, null));
		}
		return Mono.just(refusal(400, McpSchema.ErrorCodes.INVALID_REQUEST,
				"The server takes requests and notifications, and asks nothing that could be answered."));
	}

	/** Answers a message that the server does not see. */
	Answer refusal(int status, int code, String reason) {
		return new Answer(status, text(new Refusal("2.0", null, new JSONRPCError(code, reason))));
	}

	private String text(Object value) {
		try {
			return this.json.writeValueAsString(value);
		}
		catch (IOException ex) {
			throw new IllegalStateException("An answer cannot be written as JSON", ex);
		}
	}

	/**
	 * What the client gets.
	 *
	 * @param status the status of HTTP
	 * @param body JSON, or {@code null} for none
	 */
	record Answer(int status, @Nullable String body) {
	}

	/** An error without a request that it could belong to. */
	private record Refusal(String jsonrpc, @Nullable Object id, JSONRPCError error) {
	}

}

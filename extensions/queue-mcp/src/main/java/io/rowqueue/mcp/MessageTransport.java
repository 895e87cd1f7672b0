package io.rowqueue.mcp;

import java.io.IOException;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;

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
import org.springframework.http.HttpHeaders;
import org.springframework.http.MediaType;
import reactor.core.publisher.Mono;

/**
 * Passes messages to the server and its answers back. The SDK has no such transport for
 * WebFlux, and the one that it has for servlets answers what it refuses with a stack
 * trace.
 */
final class MessageTransport implements McpStatelessServerTransport {

	private static final Logger logger = LoggerFactory.getLogger(MessageTransport.class);

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

	/**
	 * Refuses a request that cannot have a message.
	 * @param method the method of HTTP
	 * @param headers returns the first value of a header
	 * @return {@code null} if its body is to be read
	 */
	@Nullable Answer refusal(String method, Function<String, @Nullable String> headers) {
		if (!method.equals("POST")) {
			return new Answer(405, null);
		}
		if (!lower(headers.apply("Content-Type")).startsWith(MediaType.APPLICATION_JSON_VALUE)) {
			return refusal(415, "A message is JSON: Content-Type: application/json");
		}
		String accepted = lower(headers.apply("Accept"));
		if (!accepted.contains(MediaType.APPLICATION_JSON_VALUE)
				|| !accepted.contains(MediaType.TEXT_EVENT_STREAM_VALUE)) {
			return refusal(400, "The protocol demands: Accept: application/json, text/event-stream");
		}
		return null;
	}

	private static String lower(@Nullable String value) {
		return (value != null) ? value.toLowerCase(Locale.ROOT) : "";
	}

	/** Refuses a message that is too long to be read. */
	Answer tooLong() {
		return refusal(413, "A message has at most " + QueueMcpServer.MAX_MESSAGE + " bytes.");
	}

	private Answer refusal(int status, String reason) {
		return refusal(status, McpSchema.ErrorCodes.INVALID_REQUEST, reason);
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
	private Answer refusal(int status, int code, String reason) {
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

		/** Adds what clients of HTTP have to know. */
		void addTo(HttpHeaders headers) {
			if (this.body != null) {
				headers.setContentType(MediaType.APPLICATION_JSON);
			}
			if (this.status == 405) {
				headers.set("Allow", "POST");
			}
			if (this.status == 413) {
				// the rest of the message is not read, and must not precede the next one
				headers.setConnection("close");
			}
		}

	}

	/** An error without a request that it could belong to. */
	private record Refusal(String jsonrpc, @Nullable Object id, JSONRPCError error) {
	}

}

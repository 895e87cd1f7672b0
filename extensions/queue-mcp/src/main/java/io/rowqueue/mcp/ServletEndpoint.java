package io.rowqueue.mcp;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Objects;

import io.modelcontextprotocol.server.McpStatelessSyncServer;
import io.rowqueue.dashboard.DashboardCaller;
import io.rowqueue.dashboard.autoconfigure.ServletCaller;
import io.rowqueue.dashboard.http.Content;
import io.rowqueue.dashboard.http.Dashboard;
import io.rowqueue.dashboard.http.DashboardRequest;
import io.rowqueue.dashboard.http.DashboardResponse;
import io.rowqueue.mcp.MessageTransport.Answer;
import jakarta.servlet.http.HttpServletRequest;
import org.springframework.web.servlet.function.RequestPredicate;
import org.springframework.web.servlet.function.RouterFunction;
import org.springframework.web.servlet.function.RouterFunctions;
import org.springframework.web.servlet.function.ServerRequest;
import org.springframework.web.servlet.function.ServerResponse;

/** The MCP server in a servlet application. */
final class ServletEndpoint implements AutoCloseable {

	private final String path;

	private final Dashboard dashboard;

	private final MessageTransport transport = new MessageTransport();

	private final McpStatelessSyncServer server;

	ServletEndpoint(Dashboard dashboard, McpProperties properties) {
		this.path = QueueMcpServer.path(dashboard);
		this.dashboard = dashboard;
		this.server = QueueMcpServer.start(this.transport, dashboard, properties);
	}

	RouterFunction<ServerResponse> routes() {
		RequestPredicate here = (request) -> request.requestPath().pathWithinApplication().value().equals(this.path);
		return RouterFunctions.route(here, this::handle);
	}

	private ServerResponse handle(ServerRequest request) throws IOException {
		HttpServletRequest servlet = request.servletRequest();
		DashboardCaller caller = new ServletCaller(servlet);
		DashboardResponse admission = this.dashboard.admit(
				new DashboardRequest(request.method().name(), "api/mcp", Map.of(), Content.NONE, caller, null, false));
		if (admission.status() != 204) {
			return ServerResponse.status(admission.status())
				.headers((headers) -> admission.headers().forEach(headers::set))
				.build(body(admission.body().bytes()));
		}
		Answer answer = answer(servlet, caller);
		String body = Objects.requireNonNullElse(answer.body(), "");
		return ServerResponse.status(answer.status()).headers((headers) -> {
			admission.headers().forEach(headers::set);
			answer.addTo(headers);
		}).build(body(body.getBytes(StandardCharsets.UTF_8)));
	}

	private Answer answer(HttpServletRequest servlet, DashboardCaller caller) throws IOException {
		Answer refusal = this.transport.refusal(servlet.getMethod(), servlet::getHeader);
		if (refusal != null) {
			return refusal;
		}
		byte[] message = servlet.getInputStream().readNBytes(QueueMcpServer.MAX_MESSAGE + 1);
		return (message.length > QueueMcpServer.MAX_MESSAGE) ? this.transport.tooLong() : Objects
			.requireNonNull(this.transport.answer(caller, new String(message, StandardCharsets.UTF_8)).block());
	}

	private static ServerResponse.HeadersBuilder.WriteFunction body(byte[] body) {
		return (request, response) -> {
			response.setContentLength(body.length);
			response.getOutputStream().write(body);
			return null;
		};
	}

	@Override
	public void close() {
		this.server.closeGracefully();
	}

}

package io.rowqueue.mcp;

import java.util.Map;

import io.modelcontextprotocol.common.McpTransportContext;
import io.modelcontextprotocol.server.McpStatelessSyncServer;
import io.modelcontextprotocol.server.transport.HttpServletStatelessServerTransport;
import io.rowqueue.dashboard.autoconfigure.ServletCaller;
import io.rowqueue.dashboard.http.Content;
import io.rowqueue.dashboard.http.Dashboard;
import io.rowqueue.dashboard.http.DashboardRequest;
import io.rowqueue.dashboard.http.DashboardResponse;
import jakarta.servlet.http.HttpServletRequest;
import org.springframework.web.servlet.function.RequestPredicate;
import org.springframework.web.servlet.function.RouterFunction;
import org.springframework.web.servlet.function.RouterFunctions;
import org.springframework.web.servlet.function.ServerRequest;
import org.springframework.web.servlet.function.ServerResponse;

/** The MCP server in a servlet application, with the transport of the SDK. */
final class ServletEndpoint implements AutoCloseable {

	private final String path;

	private final Dashboard dashboard;

	private final HttpServletStatelessServerTransport transport;

	private final McpStatelessSyncServer server;

	ServletEndpoint(Dashboard dashboard, McpProperties properties) {
		this.path = QueueMcpServer.path(dashboard);
		this.dashboard = dashboard;
		this.transport = HttpServletStatelessServerTransport.builder()
			.messageEndpoint(this.path)
			.maxRequestSize(QueueMcpServer.MAX_MESSAGE)
			.contextExtractor(
					(request) -> McpTransportContext.create(Map.of(ToolCalls.CALLER, new ServletCaller(request))))
			.build();
		this.server = QueueMcpServer.start(this.transport, dashboard, properties);
	}

	RouterFunction<ServerResponse> routes() {
		RequestPredicate here = (request) -> request.requestPath().pathWithinApplication().value().equals(this.path);
		return RouterFunctions.route(here, this::handle);
	}

	private ServerResponse handle(ServerRequest request) {
		HttpServletRequest servlet = request.servletRequest();
		DashboardResponse admission = this.dashboard.admit(new DashboardRequest(request.method().name(), "api/mcp",
				Map.of(), Content.NONE, new ServletCaller(servlet), null, false));
		boolean admitted = admission.status() == 204;
		return ServerResponse.status(admitted ? 200 : admission.status())
			.headers((headers) -> admission.headers().forEach(headers::set))
			.build((handled, response) -> {
				if (admitted) {
					this.transport.service(handled, response);
				}
				else {
					response.getOutputStream().write(admission.body().bytes());
				}
				return null;
			});
	}

	@Override
	public void close() {
		this.server.closeGracefully();
	}

}

package io.rowqueue.mcp;

import io.rowqueue.dashboard.http.Dashboard;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.annotation.Order;
import org.springframework.web.reactive.DispatcherHandler;
import org.springframework.web.reactive.function.server.RouterFunction;
import org.springframework.web.reactive.function.server.ServerResponse;

/** The route of the MCP server in a reactive application. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.REACTIVE)
@ConditionalOnClass(DispatcherHandler.class)
class ReactiveMcpConfiguration {

	@Bean
	ReactiveEndpoint rowqueueMcpEndpoint(Dashboard dashboard, McpProperties properties) {
		return new ReactiveEndpoint(dashboard, properties);
	}

	/** Before the routes of the dashboard, which has all paths below its root. */
	@Bean
	@Order(-1)
	RouterFunction<ServerResponse> rowqueueMcpRoutes(ReactiveEndpoint endpoint) {
		return endpoint.routes();
	}

}

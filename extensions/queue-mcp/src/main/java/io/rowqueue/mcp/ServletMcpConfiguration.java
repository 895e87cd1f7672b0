package io.rowqueue.mcp;

import io.rowqueue.dashboard.http.Dashboard;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.annotation.Order;
import org.springframework.web.servlet.DispatcherServlet;
import org.springframework.web.servlet.function.RouterFunction;
import org.springframework.web.servlet.function.ServerResponse;

/** The route of the MCP server in a servlet application. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
@ConditionalOnClass(DispatcherServlet.class)
class ServletMcpConfiguration {

	@Bean
	ServletEndpoint rowqueueMcpEndpoint(Dashboard dashboard, McpProperties properties) {
		return new ServletEndpoint(dashboard, properties);
	}

	/** Before the routes of the dashboard, which has all paths below its root. */
	@Bean
	@Order(-1)
	RouterFunction<ServerResponse> rowqueueMcpRoutes(ServletEndpoint endpoint) {
		return endpoint.routes();
	}

}

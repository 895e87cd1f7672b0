package io.pgqueue.mcp;

import io.pgqueue.dashboard.autoconfigure.QueueDashboardAutoConfiguration;
import io.pgqueue.dashboard.http.Dashboard;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.core.annotation.Order;
import org.springframework.web.servlet.DispatcherServlet;
import org.springframework.web.servlet.function.RouterFunction;
import org.springframework.web.servlet.function.ServerResponse;

/**
 * Auto-configuration of the MCP server, for servlet applications with the dashboard.
 *
 * @since 0.1.0
 */
@AutoConfiguration(after = QueueDashboardAutoConfiguration.class)
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
@ConditionalOnClass(DispatcherServlet.class)
@ConditionalOnBooleanProperty(name = "pgqueue.mcp.enabled", matchIfMissing = true)
@ConditionalOnBean(Dashboard.class)
@EnableConfigurationProperties(McpProperties.class)
public final class QueueMcpAutoConfiguration {

	private static final Logger logger = LoggerFactory.getLogger(QueueMcpAutoConfiguration.class);

	@Bean(destroyMethod = "close")
	McpEndpoint pgqueueMcpEndpoint(Dashboard dashboard, McpProperties properties) {
		McpEndpoint endpoint = new McpEndpoint(dashboard, properties);
		logger.info("The MCP server is at {} for those who may use the dashboard; it {}", endpoint.path(),
				properties.operations() ? "reads and changes" : "only reads");
		return endpoint;
	}

	/** Before the routes of the dashboard, which has all paths below its root. */
	@Bean
	@Order(-1)
	RouterFunction<ServerResponse> pgqueueMcpRoutes(McpEndpoint endpoint) {
		return endpoint.routes();
	}

}

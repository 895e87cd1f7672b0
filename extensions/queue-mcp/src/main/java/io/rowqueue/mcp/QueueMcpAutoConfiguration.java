package io.rowqueue.mcp;

import io.rowqueue.dashboard.autoconfigure.QueueDashboardAutoConfiguration;
import io.rowqueue.dashboard.http.Dashboard;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Import;

/**
 * Auto-configuration of the MCP server, for servlet and reactive applications with the
 * dashboard.
 *
 * @since 0.1.0
 */
@AutoConfiguration(after = QueueDashboardAutoConfiguration.class)
@ConditionalOnWebApplication
@ConditionalOnBooleanProperty(name = "rowqueue.mcp.enabled", matchIfMissing = true)
@ConditionalOnBean(Dashboard.class)
@EnableConfigurationProperties(McpProperties.class)
@Import({ ServletMcpConfiguration.class, ReactiveMcpConfiguration.class })
public final class QueueMcpAutoConfiguration {

	private static final Logger logger = LoggerFactory.getLogger(QueueMcpAutoConfiguration.class);

	QueueMcpAutoConfiguration(Dashboard dashboard, McpProperties properties) {
		logger.info("The MCP server is below the dashboard, at {}, for those who may use it; it {}",
				QueueMcpServer.path(dashboard), properties.operations() ? "reads and changes" : "only reads");
	}

}

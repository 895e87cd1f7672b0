package io.rowqueue.mcp;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Properties of the MCP server.
 *
 * @param enabled Whether the MCP server is there, below the path of the dashboard.
 * @param operations Whether callers with the level operate may also retry and cancel
 * jobs, and pause and resume queues and types.
 * @param showPayloads Whether callers who may see payloads in the dashboard may also have
 * them read by an assistant.
 */
@ConfigurationProperties("rowqueue.mcp")
record McpProperties(@DefaultValue("true") boolean enabled, @DefaultValue("false") boolean operations,
		@DefaultValue("false") boolean showPayloads) {

}

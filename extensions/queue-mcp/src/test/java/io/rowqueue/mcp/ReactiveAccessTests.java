package io.rowqueue.mcp;

import java.util.Map;

import io.modelcontextprotocol.client.McpSyncClient;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The roles of the dashboard apply in a reactive application. A class of its own: the
 * first of two Netty servers in a process to be closed ends the threads of both.
 */
class ReactiveAccessTests {

	private static final String LIST = "{\"jsonrpc\": \"2.0\", \"id\": 1, \"method\": \"tools/list\", \"params\": {}}";

	@Test
	void withRolesPrincipalsMayAsTheirRolesSay() {
		try (Host secured = Host.startReactive("rowqueue.dashboard.roles.operate=OPS",
				"rowqueue.mcp.operations=true")) {
			assertThat(secured.post(LIST, "Content-Type", "application/json", "Authorization", Host.basic("customer"))
				.statusCode()).isIn(403, 404);
			try (McpSyncClient oncall = secured.assistant("Authorization", Host.basic("oncall"))) {
				assertThat(Host
					.call(oncall, "pause", Map.of("kind", "queue", "name", "mail", "reason", "the server is down"))
					.isError()).isFalse();
			}
			assertThat(secured.jdbc().sql("select count(*) from rowqueue.pause").query(Integer.class).single()).isOne();
		}
	}

}

package io.pgqueue.mcp;

import java.net.http.HttpResponse;
import java.util.Map;

import io.modelcontextprotocol.client.McpSyncClient;
import io.modelcontextprotocol.spec.McpSchema;
import io.pgqueue.JobRequest;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;

/** Who may use the dashboard may use the MCP server, and with no more rights. */
class AccessTests {

	private static final String LIST = "{\"jsonrpc\": \"2.0\", \"id\": 1, \"method\": \"tools/list\", \"params\": {}}";

	private static final String[] JSON = { "Content-Type", "application/json" };

	@Test
	void withoutRolesOnlyThisMachineMay() {
		try (Host host = Host.start()) {
			assertThat(host.post(LIST, JSON).statusCode()).isEqualTo(200);
			HttpResponse<String> proxied = host.post(LIST, "Content-Type", "application/json", "X-Forwarded-For",
					"203.0.113.7");
			assertThat(proxied.statusCode()).isEqualTo(404);
			assertThat(proxied.body()).isEmpty();
			McpSyncClient stranger = host.assistant("X-Forwarded-For", "203.0.113.7");
			assertThatException().isThrownBy(stranger::initialize);
			stranger.close();
		}
	}

	/** A browser on this machine is no way in for the pages that it shows. */
	@Test
	void aPageOfAnotherSiteIsRefused() {
		try (Host host = Host.start()) {
			assertThat(
					host.post(LIST, "Content-Type", "application/json", "Origin", "https://evil.example").statusCode())
				.isEqualTo(403);
			assertThat(host.post(LIST, "Content-Type", "text/plain", "Sec-Fetch-Site", "cross-site").statusCode())
				.isEqualTo(403);
		}
	}

	@Test
	void withRolesPrincipalsMayAsTheirRolesSay() {
		try (Host host = Host.start("pgqueue.dashboard.roles.read=SUPPORT", "pgqueue.dashboard.roles.operate=OPS",
				"pgqueue.mcp.operations=true")) {
			assertThat(host.post(LIST, JSON).statusCode()).isEqualTo(403);
			assertThat(host.post(LIST, "Content-Type", "application/json", "Authorization", Host.basic("customer"))
				.statusCode()).isEqualTo(403);
			try (McpSyncClient support = host.assistant("Authorization", Host.basic("support"))) {
				assertThat(Host.call(support, "overview", Map.of()).isError()).isFalse();
				McpSchema.CallToolResult refused = pause(support);
				assertThat(refused.isError()).isTrue();
				assertThat(Host.text(refused)).contains("operate");
			}
			try (McpSyncClient oncall = host.assistant("Authorization", Host.basic("oncall"))) {
				assertThat(pause(oncall).isError()).isFalse();
			}
			assertThat(host.jdbc().sql("select count(*) from pgqueue.pause").query(Integer.class).single()).isOne();
		}
	}

	@Test
	void operationsAreRecordedWithWhoAndWhy() {
		try (Host host = Host.start("pgqueue.dashboard.roles.admin=OPS", "pgqueue.mcp.operations=true")) {
			try (McpSyncClient oncall = host.assistant("Authorization", Host.basic("oncall"))) {
				long job = host.jobs().enqueue(JobRequest.of("mail", "{}")).id();
				McpSchema.CallToolResult cancelled = Host.call(oncall, "cancel_job", Map.of("id", job));
				assertThat(Host.json(cancelled).get("outcome").asString()).isEqualTo("cancelled");
				assertThat(Host.call(oncall, "retry_job", Map.of("id", job)).isError()).isTrue();
				assertThat(pause(oncall).isError()).isFalse();
				String operations = Host.text(Host.call(oncall, "operations", Map.of()));
				assertThat(operations).contains("cancel", "pause", "oncall", "mcp: the server is down");
			}
		}
	}

	/** The level admin of a person is not passed on. */
	@Test
	void withoutOperationsNothingChanges() {
		try (Host host = Host.start("pgqueue.dashboard.roles.admin=OPS")) {
			try (McpSyncClient oncall = host.assistant("Authorization", Host.basic("oncall"))) {
				assertThatException().isThrownBy(() -> pause(oncall)).withMessageContaining("Unknown tool");
			}
			assertThat(host.jdbc().sql("select count(*) from pgqueue.pause").query(Integer.class).single()).isZero();
		}
	}

	@Test
	void isSwitchedOffWithTheDashboardOrAlone() {
		try (Host host = Host.start("pgqueue.mcp.enabled=false")) {
			assertThat(host.post(LIST, JSON).statusCode()).isIn(403, 404, 405);
		}
		try (Host host = Host.start("pgqueue.dashboard.access=none")) {
			assertThat(host.post(LIST, JSON).statusCode()).isEqualTo(404);
		}
	}

	private static McpSchema.CallToolResult pause(McpSyncClient assistant) {
		return Host.call(assistant, "pause", Map.of("kind", "queue", "name", "mail", "reason", "the server is down"));
	}

}

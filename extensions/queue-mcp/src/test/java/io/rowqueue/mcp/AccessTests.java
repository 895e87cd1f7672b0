package io.rowqueue.mcp;

import java.io.IOException;
import java.net.http.HttpResponse;
import java.util.Arrays;
import java.util.Map;
import java.util.stream.Stream;

import io.modelcontextprotocol.client.McpSyncClient;
import io.modelcontextprotocol.spec.McpSchema;
import io.rowqueue.JobRequest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;

/** Who may use the dashboard may use the MCP server, and with no more rights. */
class AccessTests {

	private static final String LIST = "{\"jsonrpc\": \"2.0\", \"id\": 1, \"method\": \"tools/list\", \"params\": {}}";

	private static final String[] JSON = { "Content-Type", "application/json" };

	@ParameterizedTest
	@EnumSource
	void withoutRolesOnlyAHolderOfTheTokenMay(Host.Kind kind) throws IOException {
		Host host = Host.of(kind);
		assertThat(host.post(LIST, with(Host.BEARER)).statusCode()).isEqualTo(200);
		assertThat(host.proxied(LIST)).matches("HTTP/1.[01] 404[^{]*");
		HttpResponse<String> stranger = host.post(LIST, JSON);
		assertThat(stranger.statusCode()).isEqualTo(404);
		assertThat(stranger.body()).isEmpty();
		assertThat(host.post(LIST, with(Host.BEARER, "X-Forwarded-For", "203.0.113.7")).statusCode()).isEqualTo(404);
		McpSyncClient assistant = host.assistant("Authorization", "Bearer 0123456789abcdef0124");
		assertThatException().isThrownBy(assistant::initialize);
		assistant.close();
	}

	/** A browser on this machine is no way in for the pages that it shows. */
	@ParameterizedTest
	@EnumSource
	void aPageOfAnotherSiteIsRefused(Host.Kind kind) {
		Host host = Host.of(kind);
		assertThat(host.post(LIST, with(Host.BEARER, "Origin", "https://evil.example")).statusCode()).isEqualTo(403);
		assertThat(host.post(LIST, with(Host.BEARER, "Sec-Fetch-Site", "cross-site")).statusCode()).isEqualTo(403);
	}

	/** Of what is refused, a client learns the reason and nothing of the server. */
	@ParameterizedTest
	@EnumSource
	void whatIsNoMessageIsRefusedWithTheReason(Host.Kind kind) {
		Host host = Host.of(kind);
		assertThat(host.post("{", with(Host.BEARER))).satisfies((response) -> {
			assertThat(response.statusCode()).isEqualTo(400);
			assertThat(response.body()).contains("\"id\":null", "-32700").doesNotContain("stackTrace", "className");
		});
		HttpResponse<String> batch = host.post("[" + LIST + "]", with(Host.BEARER));
		assertThat(batch.statusCode()).isEqualTo(400);
		assertThat(batch.body()).contains("JSON-RPC").doesNotContain("stackTrace", "className");
		assertThat(host.post("{\"jsonrpc\": \"2.0\", \"id\": 1, \"result\": {}}", with(Host.BEARER)).statusCode())
			.as("an answer to nothing")
			.isEqualTo(400);
		HttpResponse<String> text = host.post(LIST, "Content-Type", "text/plain", Host.BEARER[0], Host.BEARER[1]);
		assertThat(text.statusCode()).isEqualTo(415);
		assertThat(text.body()).contains("Content-Type: application/json").doesNotContain("stackTrace");
		assertThat(host.post(LIST.replace("{}", "{\"a\": \"" + "x".repeat(300_000) + "\"}"), with(Host.BEARER))
			.statusCode()).isEqualTo(413);
	}

	@ParameterizedTest
	@EnumSource
	void aNotificationIsAcceptedWithoutAnAnswer(Host.Kind kind) {
		HttpResponse<String> response = Host.of(kind)
			.post("{\"jsonrpc\": \"2.0\", \"method\": \"notifications/initialized\", \"params\": {}}",
					with(Host.BEARER));
		assertThat(response.statusCode()).isEqualTo(202);
		assertThat(response.body()).isEmpty();
	}

	@ParameterizedTest
	@EnumSource
	void withRolesPrincipalsMayAsTheirRolesSay(Host.Kind kind) {
		try (Host host = Host.start(kind, "rowqueue.dashboard.roles.read=SUPPORT",
				"rowqueue.dashboard.roles.operate=OPS", "rowqueue.mcp.operations=true")) {
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
			assertThat(host.jdbc().sql("select count(*) from rowqueue.pause").query(Integer.class).single()).isOne();
		}
	}

	@Test
	void operationsAreRecordedWithWhoAndWhy() {
		try (Host host = Host.start(Host.Kind.SERVLET, "rowqueue.dashboard.roles.admin=OPS",
				"rowqueue.mcp.operations=true")) {
			try (McpSyncClient oncall = host.assistant("Authorization", Host.basic("oncall"))) {
				long job = host.jobs().enqueue(JobRequest.of("mail", "{}")).id();
				McpSchema.CallToolResult cancelled = Host.call(oncall, "cancel_job", Map.of("id", job));
				assertThat(Host.json(cancelled).get("outcome").asString()).isEqualTo("cancelled");
				assertThat(Host.call(oncall, "retry_job", Map.of("id", job)).isError()).isTrue();
				assertThat(pause(oncall).isError()).isFalse();
				String operations = Host.text(Host.call(oncall, "operations", Map.of()));
				assertThat(operations).contains("cancel", "pause", "oncall", "mcp: the server is down")
					.contains("\"via\":\"mcp\"")
					.doesNotContain("\"via\":\"dashboard\"");
			}
		}
	}

	/** The level admin of a person is not passed on. */
	@Test
	void withoutOperationsNothingChanges() {
		try (Host host = Host.start(Host.Kind.SERVLET, "rowqueue.dashboard.roles.admin=OPS")) {
			try (McpSyncClient oncall = host.assistant("Authorization", Host.basic("oncall"))) {
				assertThatException().isThrownBy(() -> pause(oncall)).withMessageContaining("Unknown tool");
			}
			assertThat(host.jdbc().sql("select count(*) from rowqueue.pause").query(Integer.class).single()).isZero();
		}
	}

	@Test
	void isSwitchedOffWithTheDashboardOrAlone() {
		try (Host host = Host.start(Host.Kind.SERVLET, "rowqueue.mcp.enabled=false")) {
			assertThat(host.post(LIST, with(Host.BEARER)).statusCode()).isIn(403, 404, 405);
		}
		try (Host host = Host.start(Host.Kind.SERVLET, "rowqueue.dashboard.access=none")) {
			assertThat(host.post(LIST, with(Host.BEARER)).statusCode()).isEqualTo(404);
		}
	}

	private static String[] with(String[] bearer, String... headers) {
		return Stream.of(JSON, bearer, headers).flatMap(Arrays::stream).toArray(String[]::new);
	}

	private static McpSchema.CallToolResult pause(McpSyncClient assistant) {
		return Host.call(assistant, "pause", Map.of("kind", "queue", "name", "mail", "reason", "the server is down"));
	}

}

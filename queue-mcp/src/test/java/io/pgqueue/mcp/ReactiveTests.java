package io.pgqueue.mcp;

import java.net.http.HttpResponse;
import java.util.Map;

import io.modelcontextprotocol.client.McpSyncClient;
import io.modelcontextprotocol.spec.McpSchema;
import io.pgqueue.JobRequest;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** The server in a reactive application answers as in a servlet application. */
class ReactiveTests {

	private static final String LIST = "{\"jsonrpc\": \"2.0\", \"id\": 1, \"method\": \"tools/list\", \"params\": {}}";

	private static final String[] JSON = { "Content-Type", "application/json" };

	private static Host host;

	@BeforeAll
	static void start() {
		host = Host.startReactive();
	}

	@AfterAll
	static void close() {
		host.close();
	}

	@Test
	void explainsWhyABlockedJobWaits() {
		long first = host.jobs().enqueue(JobRequest.of("export", "{}")).id();
		long second = host.jobs().enqueue(JobRequest.of("mail-export", "{}").after(first)).id();
		try (McpSyncClient assistant = host.assistant()) {
			assertThat(assistant.listTools().tools()).extracting(McpSchema.Tool::name)
				.contains("overview", "explain_job")
				.doesNotContain("pause");
			McpSchema.CallToolResult result = Host.call(assistant, "explain_job", Map.of("id", second));
			assertThat(Host.text(result)).containsIgnoringCase("blocked").contains(String.valueOf(first));
		}
	}

	@Test
	void withoutRolesOnlyThisMachineMay() {
		assertThat(host.post(LIST, JSON).statusCode()).isEqualTo(200);
		HttpResponse<String> proxied = host.post(LIST, "Content-Type", "application/json", "X-Forwarded-For",
				"203.0.113.7");
		assertThat(proxied.statusCode()).isEqualTo(404);
		assertThat(proxied.body()).isEmpty();
	}

	@Test
	void aPageOfAnotherSiteIsRefused() {
		assertThat(host.post(LIST, "Content-Type", "application/json", "Origin", "https://evil.example").statusCode())
			.isEqualTo(403);
	}

	@Test
	void aNotificationIsAcceptedWithoutAnAnswer() {
		HttpResponse<String> response = host
			.post("{\"jsonrpc\": \"2.0\", \"method\": \"notifications/initialized\", \"params\": {}}", JSON);
		assertThat(response.statusCode()).isEqualTo(202);
		assertThat(response.body()).isEmpty();
	}

	@Test
	void whatIsNoMessageIsRefusedWithTheReason() {
		assertThat(host.post("{", JSON)).satisfies((response) -> {
			assertThat(response.statusCode()).isEqualTo(400);
			assertThat(response.body()).contains("\"id\":null", "-32700");
		});
		assertThat(host.post("{\"jsonrpc\": \"2.0\", \"id\": 1, \"result\": {}}", JSON).statusCode()).isEqualTo(400);
		assertThat(host.post(LIST, "Content-Type", "text/plain").statusCode()).isEqualTo(415);
		assertThat(host.post(LIST.replace("{}", "{\"a\": \"" + "x".repeat(300_000) + "\"}"), JSON).statusCode())
			.isEqualTo(413);
	}

}

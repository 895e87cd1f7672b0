package io.rowqueue.mcp;

import java.io.IOException;
import java.net.http.HttpResponse;
import java.util.Arrays;
import java.util.Map;
import java.util.stream.Stream;

import io.modelcontextprotocol.client.McpSyncClient;
import io.modelcontextprotocol.spec.McpSchema;
import io.rowqueue.JobRequest;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** The server in a reactive application answers as in a servlet application. */
class ReactiveTests {

	private static final String LIST = "{\"jsonrpc\": \"2.0\", \"id\": 1, \"method\": \"tools/list\", \"params\": {}}";

	private static final String[] JSON = { "Content-Type", "application/json", Host.BEARER[0], Host.BEARER[1] };

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
		try (McpSyncClient assistant = host.assistant(Host.BEARER)) {
			assertThat(assistant.listTools().tools()).extracting(McpSchema.Tool::name)
				.contains("overview", "explain_job")
				.doesNotContain("pause");
			McpSchema.CallToolResult result = Host.call(assistant, "explain_job", Map.of("id", second));
			assertThat(Host.text(result)).containsIgnoringCase("blocked").contains(String.valueOf(first));
		}
	}

	@Test
	void withoutRolesOnlyAHolderOfTheTokenMay() throws IOException {
		assertThat(host.post(LIST, JSON).statusCode()).isEqualTo(200);
		assertThat(host.proxied(LIST)).matches("HTTP/1.[01] 404[^{]*");
		HttpResponse<String> stranger = host.post(LIST, "Content-Type", "application/json");
		assertThat(stranger.statusCode()).isEqualTo(404);
		assertThat(stranger.body()).isEmpty();
		assertThat(host.post(LIST, with("X-Forwarded-For", "203.0.113.7")).statusCode()).isEqualTo(404);
	}

	@Test
	void aPageOfAnotherSiteIsRefused() {
		assertThat(host.post(LIST, with("Origin", "https://evil.example")).statusCode()).isEqualTo(403);
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
		assertThat(host.post(LIST, "Content-Type", "text/plain", Host.BEARER[0], Host.BEARER[1]).statusCode())
			.isEqualTo(415);
		assertThat(host.post(LIST.replace("{}", "{\"a\": \"" + "x".repeat(300_000) + "\"}"), JSON).statusCode())
			.isEqualTo(413);
	}

	private static String[] with(String... headers) {
		return Stream.concat(Arrays.stream(JSON), Arrays.stream(headers)).toArray(String[]::new);
	}

}

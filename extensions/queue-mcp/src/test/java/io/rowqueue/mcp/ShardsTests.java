package io.rowqueue.mcp;

import java.util.List;
import java.util.Map;

import io.modelcontextprotocol.client.McpSyncClient;
import io.rowqueue.JobRequest;
import io.rowqueue.postgres.Database;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

import static org.assertj.core.api.Assertions.assertThat;

/** An assistant of a queue with several databases. */
class ShardsTests {

	@Test
	void anAssistantFindsTheShardsAndReadsEachOfThem() {
		Database eu = Host.createDatabase();
		try (Host host = Host.start(Host.Kind.SERVLET, eu.properties("rowqueue.shards.eu"));
				McpSyncClient assistant = host.assistant(Host.BEARER)) {
			host.jobs("eu").enqueue(JobRequest.of("in-europe", "{}"));
			List<JsonNode> shards = List
				.copyOf(Host.json(Host.call(assistant, "shards", Map.of())).get("items").values());
			assertThat(shards).extracting((shard) -> shard.get("name").asString())
				.containsExactlyInAnyOrder("home", "eu");
			assertThat(shards).allMatch((shard) -> shard.get("available").asBoolean());
			for (JsonNode shard : shards) {
				String name = shard.get("name").asString();
				String jobs = Host.text(Host.call(assistant, "list_jobs", Map.of("shard", name)));
				assertThat(jobs.contains("in-europe")).as(name).isEqualTo(name.equals("eu"));
			}
		}
	}

}

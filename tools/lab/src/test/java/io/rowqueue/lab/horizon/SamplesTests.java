package io.rowqueue.lab.horizon;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** The lines that the harness reads. */
class SamplesTests {

	private final ByteArrayOutputStream printed = new ByteArrayOutputStream();

	private final Samples samples = new Samples(new PrintStream(this.printed, true, StandardCharsets.UTF_8));

	@Test
	void theDescriptorNamesAtLeastTheTablesOfTheManifest() throws Exception {
		this.samples.descriptor("jdbc:postgresql://localhost:5432/rowqueue_bench?user=bench");
		JsonNode descriptor = lines().get(0);
		assertThat(descriptor.get("kind").asText()).isEqualTo("descriptor");
		assertThat(descriptor.get("db_name").asText()).isEqualTo("rowqueue_bench");
		JsonNode manifest = new ObjectMapper().readTree(Files.readString(Path.of("long-horizon", "adapter.json")));
		assertThat(descriptor.get("system")).isEqualTo(manifest.get("system"));
		assertThat(descriptor.get("event_tables")).containsAll(manifest.get("event_tables"));
		assertThat(manifest.get("db_name").asText()).isEqualTo(Horizon.DATABASE);
	}

	@Test
	void aTickPrintsEachRequiredFigure() throws Exception {
		this.samples.enqueued(100);
		this.samples.started(Instant.now().minusMillis(40).toEpochMilli() * 1000);
		this.samples.completed();
		this.samples.depth(7);
		this.samples.tick(5, true);
		Map<String, Double> figures = figures();
		assertThat(figures).containsKeys("claim_p50_ms", "claim_p95_ms", "claim_p99_ms")
			.containsEntry("enqueue_rate", 20.0)
			.containsEntry("completion_rate", 0.2)
			.containsEntry("queue_depth", 7.0);
		assertThat(figures.get("claim_p50_ms")).isGreaterThanOrEqualTo(40);
		assertThat(lines()).allSatisfy((line) -> {
			assertThat(line.get("kind").asText()).isEqualTo("adapter");
			assertThat(Instant.parse(line.get("t").asText())).isBeforeOrEqualTo(Instant.now());
		});
	}

	@Test
	void onlyTheFirstProcessPrintsFiguresOfTheWholeQueue() throws Exception {
		this.samples.tick(5, false);
		assertThat(figures()).containsKey("completion_rate").doesNotContainKeys("queue_depth", "producer_target_rate");
	}

	@Test
	void latenciesAreThoseOfTheLastThirtySeconds() throws Exception {
		this.samples.started(Instant.now().minusSeconds(9).toEpochMilli() * 1000);
		for (int tick = 0; tick < 6; tick++) {
			this.samples.tick(5, false);
		}
		assertThat(figures().get("claim_p99_ms")).isGreaterThan(8000);
		this.samples.tick(5, false);
		assertThat(figures().get("claim_p99_ms")).isZero();
	}

	/** The latest value of each figure. */
	private Map<String, Double> figures() throws Exception {
		return lines().stream()
			.collect(Collectors.toMap((line) -> line.get("metric").asText(), (line) -> line.get("value").asDouble(),
					(first, second) -> second));
	}

	private List<JsonNode> lines() throws Exception {
		ObjectMapper mapper = new ObjectMapper();
		List<JsonNode> lines = new ArrayList<>();
		for (String line : this.printed.toString(StandardCharsets.UTF_8).lines().toList()) {
			lines.add(mapper.readTree(line));
		}
		return lines;
	}

}

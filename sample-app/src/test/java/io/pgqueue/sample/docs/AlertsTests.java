package io.pgqueue.sample.docs;

import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;

import org.junit.jupiter.api.Test;
import org.yaml.snakeyaml.Yaml;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;

/** Whoever is woken by an alert finds what to do about it. */
class AlertsTests {

	private static final Path OPERATIONS = Path.of("..", "docs", "operations");

	@Test
	void eachAlertHasAnEntryInTheRunbookALineInTheTableAndATest() throws IOException {
		String runbook = Files.readString(OPERATIONS.resolve("runbook.md"));
		String table = Files.readString(OPERATIONS.resolve("README.md"));
		String tests = Files.readString(OPERATIONS.resolve("alerts.test.yml"));

		assertThat(alerts()).hasSizeGreaterThan(5).allSatisfy((alert) -> {
			String name = (String) alert.get("alert");
			String anchor = "runbook.md#" + name.toLowerCase(Locale.ROOT);
			assertThat(alert.get("annotations")).extracting("runbook").isEqualTo(anchor);
			assertThat(runbook).contains("\n## " + name + "\n");
			assertThat(table).contains("| [" + name + "](" + anchor + ") |");
			assertThat(tests).contains("alertname: " + name + "\n        exp_alerts:");
		});
	}

	@Test
	void theRunbookHasNoEntryWithoutAnAlert() throws IOException {
		List<String> entries = Files.readAllLines(OPERATIONS.resolve("runbook.md"))
			.stream()
			.filter((line) -> line.startsWith("## "))
			.map((line) -> line.substring(3))
			.toList();

		assertThat(entries).containsExactlyInAnyOrderElementsOf(
				alerts().stream().map((alert) -> (String) alert.get("alert")).toList());
	}

	@Test
	void theDashboardHasAPanelForEachMeterThatAlerts() throws IOException {
		JsonNode dashboard = JsonMapper.shared().readTree(OPERATIONS.resolve("dashboard.json").toFile());
		String expressions = String.join("\n", dashboard.findValuesAsString("expr"));

		assertThat(alerts()).allSatisfy((alert) -> assertThat(expressions)
			.contains(alert.get("expr").toString().replaceAll("(?s).*?(queue_[a-z_]+).*", "$1")));
	}

	@SuppressWarnings("unchecked")
	private static List<Map<String, Object>> alerts() throws IOException {
		try (Reader reader = Files.newBufferedReader(OPERATIONS.resolve("alerts.yml"))) {
			Map<String, Object> file = new Yaml().load(reader);
			return (List<Map<String, Object>>) ((List<Map<String, Object>>) file.get("groups")).get(0).get("rules");
		}
	}

}

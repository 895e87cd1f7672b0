package io.rowqueue.documentation;

import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Timer;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.rowqueue.admin.Verdict;
import org.junit.jupiter.api.Test;
import org.yaml.snakeyaml.Yaml;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;

/** The runbook says for each alert what to do. */
class AlertsTests {

	private static final Path OPERATIONS = Path.of("..", "..", "docs", "operations");

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
			.contains(alert.get("expr").toString().replaceAll("(?s).*?(rowqueue_[a-z_]+).*", "$1")));
	}

	@Test
	void rulesAndDashboardNameOnlyMetersThatThereAre() throws IOException {
		Set<String> series = series();

		assertThat(series).contains("rowqueue_jobs", "rowqueue_run_seconds_count", "rowqueue_claim_size_jobs_sum",
				"rowqueue_retried_jobs_total");
		assertThat(named(Files.readString(OPERATIONS.resolve("alerts.yml")))).hasSizeGreaterThan(8).isSubsetOf(series);
		assertThat(named(Files.readString(OPERATIONS.resolve("alerts.test.yml")))).hasSizeGreaterThan(8)
			.isSubsetOf(series);
		assertThat(named(Files.readString(OPERATIONS.resolve("dashboard.json")))).hasSizeGreaterThan(15)
			.isSubsetOf(series);
	}

	@Test
	void verdictsThatAreNamedExist() throws IOException {
		Set<String> verdicts = Arrays.stream(Verdict.values()).map(Enum::name).collect(Collectors.toSet());

		assertThat(Pattern.compile("verdict `([A-Z_]+)`")
			.matcher(Files.readString(OPERATIONS.resolve("breaking.md")))
			.results()
			.map((found) -> found.group(1))).hasSizeGreaterThan(4).isSubsetOf(verdicts);
	}

	/** All but the names of single series of {@code rowqueue.jobs}, which are labels. */
	private static Set<String> named(String text) {
		return Pattern.compile("\\b(?:row)?queue(?:_[a-z]+)+\\b")
			.matcher(text)
			.results()
			.map(MatchResult::group)
			.collect(Collectors.toSet());
	}

	/** What Prometheus calls the meters of the table in the documents. */
	private static Set<String> series() throws IOException {
		PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
		Pattern row = Pattern.compile("\\| `(rowqueue\\.[a-z.]+)` \\| ([a-z ]+), ([a-z]+) \\|.*");
		for (String line : Files.readAllLines(OPERATIONS.resolveSibling("meters.md"))) {
			Matcher meter = row.matcher(line);
			if (meter.matches()) {
				String name = meter.group(1);
				String unit = meter.group(3);
				switch (meter.group(2)) {
					case "gauge" -> Gauge.builder(name, () -> 1).baseUnit(unit).register(registry);
					case "counter" -> Counter.builder(name).baseUnit(unit).register(registry);
					case "timer" -> Timer.builder(name).register(registry);
					default -> DistributionSummary.builder(name).baseUnit(unit).register(registry);
				}
			}
		}
		return registry.scrape()
			.lines()
			.filter((line) -> !line.startsWith("#"))
			.map((line) -> line.replaceAll("[ {].*", ""))
			.collect(Collectors.toSet());
	}

	@SuppressWarnings("unchecked")
	private static List<Map<String, Object>> alerts() throws IOException {
		try (Reader reader = Files.newBufferedReader(OPERATIONS.resolve("alerts.yml"))) {
			Map<String, Object> file = new Yaml().load(reader);
			return (List<Map<String, Object>>) ((List<Map<String, Object>>) file.get("groups")).get(0).get("rules");
		}
	}

}

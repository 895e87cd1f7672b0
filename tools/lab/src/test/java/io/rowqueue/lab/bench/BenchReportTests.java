package io.rowqueue.lab.bench;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

class BenchReportTests {

	@TempDir
	Path directory;

	private Results results;

	@BeforeEach
	void begin() {
		this.results = new Results(this.directory.resolve("results.csv"));
	}

	@ParameterizedTest
	@CsvSource({ "0, 0, ok", "0, , duplicates only", ", 0, missing only", ", , not checked",
			"0, 3, '**0 twice, 3 missing**'", "2, , '**2 twice, ? missing**'" })
	void theReportContainsOnlyMeasuredValues(String duplicates, String missing, String ledger) {
		Map<String, String> metrics = metrics("1");
		if (duplicates != null) {
			metrics.put("duplicates", duplicates);
		}
		if (missing != null) {
			metrics.put("missing", missing);
		}
		this.results.add("backlog", "graphile", metrics);
		assertThat(report()).contains("| graphile | 1 |  | 1,000 | " + ledger + " |");
	}

	@Test
	void theReportMarksThoseThatDidNotWarmUp() {
		Map<String, String> warm = metrics("1");
		warm.put("warmed", "5000");
		this.results.add("drain-warm", "rowqueue", metrics("1", "sizes", "JOBS=5000 WARM_UP=5000"));
		this.results.add("drain-warm", "obedient", warm);
		this.results.add("drain-warm", "other", metrics("1"));
		// did not say so then
		this.results.add("drain-warm", "limit-update", metrics("1"));
		assertThat(report()).contains("| **rowqueue** | 1 | 1.00 | 1,000 | not checked, cold |",
				"| obedient | 1 | 1.00 | 1,000 | not checked |", "| other | 1 | 1.00 | 1,000 | not checked, cold |",
				"| limit-update | 1 | 1.00 | 1,000 | not checked |");
	}

	@Test
	void noContestantIsMarkedIfNoneWarmsUp() {
		this.results.add("drain", "other", metrics("1"));
		assertThat(report()).doesNotContain("cold");
	}

	@Test
	void theReportNamesThoseThatTakeNoPart() {
		this.results.add("drain", "rowqueue", metrics("1"));
		this.results.add("enqueue-one", "limit-insert", metrics("1"));
		this.results.add("drain", "limit-rows", metrics("1"));
		String[] sections = report().split("## ", -1);
		assertThat(sections[1]).startsWith("drain").contains("Not limit-insert: it only inserts");
		assertThat(sections[2]).startsWith("enqueue-one").contains("Not limit-rows: it only works off what is there");
	}

	@Test
	void theReportContainsTheSettingsOfEachContestant() {
		this.results.add("drain", "limit-update", metrics("1", "settings", "poll"));
		this.results.add("steady", "limit-update", metrics("1", "settings", "poll"));
		this.results.add("latency", "limit-update", metrics("1", "settings", "LISTEN"));
		this.results.add("drain", "rowqueue", metrics("1", "settings", "defaults"));
		this.results.add("latency", "rowqueue", metrics("1", "settings", "defaults"));
		assertThat(report()).contains("- **limit-update** 1: poll (drain, steady) or LISTEN (latency)\n",
				"- **rowqueue** 1: defaults\n");
	}

	private String report() {
		return new BenchReport(this.results, "somewhere").markdown("chart.svg");
	}

	private static Map<String, String> metrics(String version, String... more) {
		Map<String, String> metrics = new LinkedHashMap<>(Map.of("version", version, "jobs_per_s", "1000"));
		if (more.length > 0) {
			metrics.put(more[0], more[1]);
		}
		return metrics;
	}

}

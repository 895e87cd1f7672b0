package io.rowqueue.lab.bench;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.rowqueue.lab.contestant.Contestants;

/** The table of all results, in Markdown. */
final class BenchReport {

	static final String THROUGHPUT = "jobs_per_s";

	/** The metrics of the table and their titles. */
	private static final Map<String, String> COLUMNS = new LinkedHashMap<>();

	static {
		COLUMNS.put(THROUGHPUT, "jobs/s");
		COLUMNS.put("p50_ms", "p50 ms");
		COLUMNS.put("p95_ms", "p95 ms");
		COLUMNS.put("p99_ms", "p99 ms");
		COLUMNS.put("first20_p99_ms", "p99 ms, first 20 s");
		COLUMNS.put("last20_p99_ms", "p99 ms, last 20 s");
		COLUMNS.put("rate", "asked for, jobs/s");
		COLUMNS.put("server_cpu", "server CPU, cores");
		COLUMNS.put("client_cpu", "client CPU, cores");
		COLUMNS.put("wal_bytes_per_job", "WAL, bytes/job");
		COLUMNS.put("commits_per_job", "writing transactions/job");
		COLUMNS.put("dead_tuples_per_job", "dead tuples/job");
		COLUMNS.put("heap_mb_begin", "heap MB, begin");
		COLUMNS.put("heap_mb_end", "heap MB, end");
	}

	private final Results results;

	private final String environment;

	BenchReport(Results results, String environment) {
		this.results = results;
		this.environment = environment;
	}

	String markdown(String chart) {
		StringBuilder text = new StringBuilder("# Benchmarks\n\n");
		text.append(this.environment)
			.append(".\nWritten by `tools/lab/bench`, which shares these cores with the server; see")
			.append(" [lab](../tools/lab/README.md) for what is measured and how to measure it again.")
			.append(" Only ratios within one table mean anything. Median of the runs (least–most).\n\n![Throughput](")
			.append(chart)
			.append(")\n");
		for (Workload workload : Workload.all()) {
			if (!this.results.contestants(workload.name()).isEmpty()) {
				table(text, workload);
			}
		}
		text.append("\n## Versions and settings\n\n");
		this.results.contestants()
			.forEach((name) -> text.append("- **")
				.append(name)
				.append("** ")
				.append(byWorkload(name, "version"))
				.append(": ")
				.append(byWorkload(name, "settings"))
				.append('\n'));
		return text.toString();
	}

	/** One value, or several and where each was used. */
	private String byWorkload(String contestant, String metric) {
		Map<String, Set<String>> workloads = this.results.workloads(contestant, metric);
		if (workloads.size() < 2) {
			return String.join("", workloads.keySet());
		}
		return workloads.entrySet()
			.stream()
			.map((entry) -> entry.getKey() + " (" + String.join(", ", entry.getValue()) + ")")
			.collect(Collectors.joining(" or "));
	}

	private void table(StringBuilder text, Workload workload) {
		String name = workload.name();
		List<String> metrics = COLUMNS.keySet()
			.stream()
			.filter((metric) -> this.results.contestants(name)
				.stream()
				.anyMatch((contestant) -> this.results.spread(name, contestant, metric).length > 0))
			.toList();
		text.append("\n## ")
			.append(name)
			.append("\n\n")
			.append(workload.description())
			.append("\n\n| | runs | ratio |");
		metrics.forEach((metric) -> text.append(' ').append(COLUMNS.get(metric)).append(" |"));
		text.append(" ledger |\n|---|--:|--:|").append("--:|".repeat(metrics.size())).append("---|\n");
		List<String> notes = new ArrayList<>();
		for (String contestant : this.results.contestants(name)) {
			if (!this.results.values(name, contestant, "unsupported").isEmpty()) {
				notes.add(contestant + ": " + this.results.values(name, contestant, "unsupported").get(0));
				continue;
			}
			text.append("| ").append(contestant.equals(Contestants.ROWQUEUE) ? "**rowqueue**" : contestant);
			text.append(" | ").append(runs(name, contestant)).append(" | ").append(ratio(workload, contestant));
			metrics
				.forEach((metric) -> text.append(" | ").append(number(this.results.spread(name, contestant, metric))));
			text.append(" | ").append(ledger(name, contestant));
			text.append(isCold(workload, contestant) ? ", cold |\n" : " |\n");
		}
		for (String contestant : this.results.contestants()) {
			workload.isNotFor(contestant).ifPresent((why) -> notes.add(contestant + ": " + why));
		}
		notes.forEach((note) -> text.append("\nNot ").append(note).append('\n'));
	}

	private int runs(String workload, String contestant) {
		return this.results.values(workload, contestant, "version").size();
	}

	/** How many times as fast as the product: above 1 is faster. */
	private String ratio(Workload workload, String contestant) {
		String metric = workload.isLatency() ? "p99_ms" : THROUGHPUT;
		double[] product = this.results.spread(workload.name(), Contestants.ROWQUEUE, metric);
		double[] other = this.results.spread(workload.name(), contestant, metric);
		if (product.length == 0 || other.length == 0 || product[0] == 0 || other[0] == 0) {
			return "";
		}
		double ratio = workload.isLatency() ? product[0] / other[0] : other[0] / product[0];
		return String.format(Locale.ROOT, (ratio < 0.1) ? "%.3f" : "%.2f", ratio);
	}

	private String ledger(String workload, String contestant) {
		List<String> failed = this.results.values(workload, contestant, "failed");
		if (!failed.isEmpty()) {
			return "**" + failed.get(0) + "**";
		}
		List<String> duplicates = this.results.values(workload, contestant, "duplicates");
		List<String> missing = this.results.values(workload, contestant, "missing");
		if (Stream.concat(duplicates.stream(), missing.stream()).allMatch("0"::equals)) {
			if (duplicates.isEmpty()) {
				return missing.isEmpty() ? "not checked" : "missing only";
			}
			return missing.isEmpty() ? "duplicates only" : "ok";
		}
		return "**" + counts(duplicates) + " twice, " + counts(missing) + " missing**";
	}

	private static String counts(List<String> counts) {
		return counts.isEmpty() ? "?" : String.join(", ", counts);
	}

	/** Whether it has not done before what it should have. */
	private boolean isCold(Workload workload, String contestant) {
		if (!workload.full().containsKey(Workload.WARM_UP)) {
			return false;
		}
		boolean old = this.results.values(workload.name(), contestant, Bench.SIZES).isEmpty();
		// old results do not contain it
		return !(old && Contestants.ALL.contains(contestant))
				&& this.results.values(workload.name(), contestant, "warmed").stream().allMatch("0"::equals);
	}

	private static String number(double[] spread) {
		if (spread.length == 0) {
			return "";
		}
		String median = number(spread[0]);
		return (spread[1] == spread[2]) ? median : median + " (" + number(spread[1]) + "–" + number(spread[2]) + ")";
	}

	static String number(double value) {
		return String.format(Locale.ROOT, (value >= 100) ? "%,.0f" : (value >= 1) ? "%.2f" : "%.3f", value);
	}

}

package io.rowqueue.lab.horizon;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The samples of one phase, of all processes. */
final class Figures {

	private final Map<String, List<Double>> samples = new HashMap<>();

	synchronized void add(String name, double value) {
		this.samples.computeIfAbsent(name, (key) -> new ArrayList<>()).add(value);
	}

	/** The mean of a rate of one process, multiplied by the number of processes. */
	synchronized double rate(String name, int ticks) {
		return this.samples.getOrDefault(name, List.of()).stream().mapToDouble((value) -> value).sum()
				/ Math.max(1, ticks);
	}

	synchronized double median(String name) {
		List<Double> sorted = this.samples.getOrDefault(name, List.of()).stream().sorted().toList();
		return sorted.isEmpty() ? Double.NaN : sorted.get(sorted.size() / 2);
	}

	synchronized double max(String name) {
		return this.samples.getOrDefault(name, List.of()).stream().mapToDouble((value) -> value).max().orElse(0);
	}

	/** A row of the report. */
	String row(String phase, int ticks, double dead, double megabytes) {
		return String.format(Locale.ROOT, "| %s | %,.0f | %,.0f | %.1f | %.1f | %.1f | %.1f | %,.0f | %,.0f | %,.0f |",
				phase, rate("enqueue_rate", ticks), rate("completion_rate", ticks), median("claim_p50_ms"),
				median("claim_p95_ms"), median("claim_p99_ms"), max("claim_p99_ms"), max("queue_depth"), dead,
				megabytes);
	}

	static String head() {
		return "| phase | enqueued/s | completed/s | p50 ms | p95 ms | p99 ms | worst p99 ms | most waiting | dead rows | tables, MB |\n"
				+ "|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|";
	}

}

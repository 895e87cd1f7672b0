package io.rowqueue.lab.bench;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * All that was measured, kept as lines of {@code workload,contestant,run,metric,value}.
 */
final class Results {

	private static final String HEAD = "workload,contestant,run,metric,value";

	private final Path file;

	private final List<Row> rows = new ArrayList<>();

	Results(Path file) {
		this.file = file;
		try {
			Files.createDirectories(file.toAbsolutePath().getParent());
			if (Files.exists(file)) {
				Files.readAllLines(file).stream().skip(1).map(Row::parse).forEach(this.rows::add);
			}
			else {
				Files.writeString(file, HEAD + "\n");
			}
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/** Adds what a run measured, also to the file. */
	void add(String workload, String contestant, Map<String, String> metrics) {
		int run = 1
				+ this.rows.stream().filter((row) -> row.isOf(workload, contestant)).mapToInt(Row::run).max().orElse(0);
		List<String> lines = new ArrayList<>();
		metrics.forEach((metric, value) -> {
			Row row = new Row(workload, contestant, run, metric, value.replace(",", ";").replace("\n", " "));
			this.rows.add(row);
			lines.add(row.toLine());
		});
		try {
			Files.write(this.file, lines, StandardOpenOption.APPEND);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/** Returns the contestants with results of a workload, in order of appearance. */
	Set<String> contestants(String workload) {
		Set<String> names = new LinkedHashSet<>();
		this.rows.stream().filter((row) -> row.workload().equals(workload)).map(Row::contestant).forEach(names::add);
		return names;
	}

	/** All values of a metric, one for each run. */
	List<String> values(String workload, String contestant, String metric) {
		return this.rows.stream()
			.filter((row) -> row.isOf(workload, contestant) && row.metric().equals(metric))
			.map(Row::value)
			.toList();
	}

	/** Whether each run has the same value of a metric. */
	boolean allHave(String workload, String contestant, String metric, String value) {
		Set<Integer> runs = new HashSet<>();
		Set<Integer> having = new HashSet<>();
		this.rows.stream().filter((row) -> row.isOf(workload, contestant)).forEach((row) -> {
			runs.add(row.run());
			if (row.metric().equals(metric) && row.value().equals(value)) {
				having.add(row.run());
			}
		});
		return having.equals(runs);
	}

	/** The median of a metric, the least and the most; nothing if it was not measured. */
	double[] spread(String workload, String contestant, String metric) {
		double[] numbers = values(workload, contestant, metric).stream()
			.filter((value) -> value.matches("-?[\\d.]+"))
			.mapToDouble(Double::parseDouble)
			.sorted()
			.toArray();
		if (numbers.length == 0) {
			return numbers;
		}
		int middle = numbers.length / 2;
		double median = (numbers.length % 2 == 1) ? numbers[middle] : (numbers[middle - 1] + numbers[middle]) / 2;
		return new double[] { median, numbers[0], numbers[numbers.length - 1] };
	}

	/** Returns the values of a metric in all workloads, by contestant. */
	Map<String, Set<String>> workloads(String contestant, String metric) {
		Map<String, Set<String>> workloads = new LinkedHashMap<>();
		this.rows.stream()
			.filter((row) -> row.contestant().equals(contestant) && row.metric().equals(metric))
			.forEach((row) -> workloads.computeIfAbsent(row.value(), (value) -> new LinkedHashSet<>())
				.add(row.workload()));
		return workloads;
	}

	/** Everybody. */
	Set<String> contestants() {
		Set<String> names = new LinkedHashSet<>();
		this.rows.stream().map(Row::contestant).forEach(names::add);
		return names;
	}

	/**
	 * One value.
	 *
	 * @param workload of what
	 * @param contestant whose
	 * @param run counts from 1
	 * @param metric its name
	 * @param value a number, or a text without commas
	 */
	record Row(String workload, String contestant, int run, String metric, String value) {

		static Row parse(String line) {
			List<String> fields = Arrays.asList(line.split(",", 5));
			return new Row(fields.get(0), fields.get(1), Integer.parseInt(fields.get(2)), fields.get(3), fields.get(4));
		}

		boolean isOf(String otherWorkload, String otherContestant) {
			return this.workload.equals(otherWorkload) && this.contestant.equals(otherContestant);
		}

		String toLine() {
			return String.join(",", this.workload, this.contestant, "" + this.run, this.metric, this.value);
		}

	}

}

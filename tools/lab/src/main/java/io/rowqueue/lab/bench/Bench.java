package io.rowqueue.lab.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

import io.rowqueue.lab.Arguments;
import io.rowqueue.lab.Machine;

/** Measures and reports. */
public final class Bench {

	/** The environment of a run, stored with its results. */
	static final String SIZES = "sizes";

	private static final double PINNED_SHARE = 0.3;

	private final BenchOptions options;

	private final Results results;

	private Bench(BenchOptions options) {
		Path file = options.directory().resolve("results.csv");
		if (!options.measures() && Files.notExists(file)) {
			throw new IllegalArgumentException(
					"There is no " + file + " to make a table of; --directory names the one of the runs");
		}
		this.options = options;
		this.results = new Results(file);
	}

	/**
	 * Runs.
	 * @param arguments see {@link BenchOptions#usage()}
	 * @return 0: all went well; 1: a run failed or its ledger is wrong; 2: it was called
	 * in a wrong way
	 * @throws Exception if the lab itself fails
	 */
	public static int run(String... arguments) throws Exception {
		if (Arguments.askForHelp(arguments)) {
			System.out.print(BenchOptions.usage());
			return 0;
		}
		try {
			return new Bench(BenchOptions.parse(arguments)).run();
		}
		catch (IllegalArgumentException ex) {
			System.err.println(ex.getMessage());
			System.err.print(BenchOptions.usage());
			return 2;
		}
	}

	private int run() throws IOException, InterruptedException, SQLException {
		Path about = this.options.directory().resolve("environment.txt");
		boolean good = true;
		if (this.options.measures()) {
			refuseOtherSizes();
			try (BenchServer server = BenchServer.open(this.options)) {
				Files.writeString(about, Machine.current().description() + "; " + server.description());
				server.touch();
				for (Workload workload : this.options.workloads()) {
					for (int i = 0; i < this.options.runs(workload); i++) {
						good &= round(server, workload, i);
					}
				}
			}
		}
		String environment = Files.exists(about) ? Files.readString(about) : "";
		Path table = this.options.directory().resolve("benchmarks.md");
		Files.writeString(table, new BenchReport(this.results, environment).markdown("benchmarks.svg"));
		Files.writeString(this.options.directory().resolve("benchmarks.svg"), new Chart(this.results).svg());
		if (!this.results.contestants(Workload.PINNED_LONG).isEmpty()) {
			Files.writeString(this.options.directory().resolve("pinned-long.svg"),
					new MinuteChart(this.results, Workload.PINNED_LONG).svg());
		}
		System.out.println("Table: " + table);
		return good ? 0 : 1;
	}

	/** A median of runs of different sizes, or a ratio between them, is meaningless. */
	private void refuseOtherSizes() {
		for (Workload workload : this.options.workloads()) {
			for (String contestant : this.results.contestants(workload.name())) {
				String sizes = sizes(workload, contestant);
				if (!this.results.allHave(workload.name(), contestant, SIZES, sizes)) {
					throw new IllegalArgumentException(this.options.directory() + " has runs of " + workload.name()
							+ " by " + contestant + " that were not of " + sizes
							+ ": name another --directory, or delete results.csv there");
				}
			}
		}
	}

	private String sizes(Workload workload, String contestant) {
		return new TreeMap<>(this.options.sizes(workload, contestant)).entrySet()
			.stream()
			.map(Object::toString)
			.collect(Collectors.joining(" "));
	}

	/**
	 * Contestants take turns, so that a slow spell of the machine hits all of them; each
	 * round begins with another one.
	 */
	private boolean round(BenchServer server, Workload workload, int number)
			throws IOException, InterruptedException, SQLException {
		boolean good = true;
		for (String contestant : contestants(workload, number)) {
			int rate = this.options.sizes(workload, contestant).getOrDefault(Workload.RATE, 0);
			if (workload.name().equals(Workload.PINNED)) {
				double[] steady = this.results.spread(Workload.STEADY, contestant, BenchReport.THROUGHPUT);
				if (steady.length == 0) {
					System.out
						.println(workload.name() + " " + contestant + ": takes its rate from steady, which has none");
					continue;
				}
				rate = (int) Math.max(1, steady[0] * PINNED_SHARE);
			}
			Map<String, String> metrics = new BenchRun(this.options, server, workload, contestant, rate).run();
			if (rate > 0) {
				metrics.put("rate", Integer.toString(rate));
			}
			metrics.put(SIZES, sizes(workload, contestant));
			this.results.add(workload.name(), contestant, metrics);
			good &= isGood(metrics);
			System.out.println(workload.name() + " " + contestant + ": "
					+ metrics.entrySet()
						.stream()
						.filter((metric) -> !metric.getKey().equals("settings"))
						.map((metric) -> metric.getKey() + "=" + metric.getValue())
						.collect(Collectors.joining(" ")));
		}
		return good;
	}

	private List<String> contestants(Workload workload, int round) {
		List<String> contestants = this.options.names()
			.stream()
			.filter((name) -> workload.isNotFor(name).isEmpty())
			.collect(Collectors.toCollection(ArrayList::new));
		Collections.rotate(contestants, -round);
		return contestants;
	}

	private static boolean isGood(Map<String, String> metrics) {
		return !metrics.containsKey("failed") && metrics.getOrDefault("duplicates", "0").equals("0")
				&& metrics.getOrDefault("missing", "0").equals("0");
	}

}

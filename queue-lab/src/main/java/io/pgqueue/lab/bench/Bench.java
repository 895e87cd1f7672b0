package io.pgqueue.lab.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

import io.pgqueue.lab.Arguments;
import io.pgqueue.lab.Machine;

/** Measures and reports. */
public final class Bench {

	private static final double PINNED_SHARE = 0.3;

	private static final List<String> WORK = List.of("drain", "backlog", Workload.SCALE);

	/** One only enqueues, the others only work: not worth a try each time. */
	private static final Map<String, List<String>> ONLY = Map.of("limit-insert", List.of("enqueue_one", "enqueue_bulk"),
			"limit-rows", WORK, "limit-rows-delete", WORK);

	private final BenchOptions options;

	private final Results results;

	private Bench(BenchOptions options) {
		this.options = options;
		this.results = new Results(options.directory().resolve("results.csv"));
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
		System.out.println("Table: " + table);
		return good ? 0 : 1;
	}

	/**
	 * Contestants take turns, so that a slow spell of the machine hits all of them; each
	 * round begins with another one.
	 */
	private boolean round(BenchServer server, Workload workload, int number)
			throws IOException, InterruptedException, SQLException {
		boolean good = true;
		for (String contestant : contestants(workload, number)) {
			int rate = 0;
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
			.filter((name) -> ONLY.getOrDefault(name, List.of(workload.program())).contains(workload.program()))
			.collect(Collectors.toCollection(ArrayList::new));
		Collections.rotate(contestants, -round);
		return contestants;
	}

	private static boolean isGood(Map<String, String> metrics) {
		return !metrics.containsKey("failed") && metrics.getOrDefault("duplicates", "0").equals("0")
				&& metrics.getOrDefault("missing", "0").equals("0");
	}

}

package io.rowqueue.lab.bench;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import io.rowqueue.lab.Arguments;
import io.rowqueue.lab.Machine;
import io.rowqueue.lab.contestant.Contestants;
import org.jspecify.annotations.Nullable;

/**
 * What bench was asked for.
 *
 * @param quick whether sizes are small
 * @param workloads which workloads
 * @param contestants which contestants of this module
 * @param externals further ones: name and executable
 * @param runs how often each workload runs, or {@code null} for its default
 * @param sizes sizes that replace those of the workloads
 * @param url a server of the user's, or {@code null}
 * @param server settings of the server
 * @param directory where results, table and chart go
 * @param measures whether to measure; else only the report is written again
 */
record BenchOptions(boolean quick, List<Workload> workloads, List<String> contestants, Map<String, Path> externals,
		@Nullable Integer runs, Map<String, Integer> sizes, @Nullable String url, Map<String, String> server,
		Path directory, boolean measures) {

	private static final String USAGE = """
			bench [--quick] [--workloads a,b] [--contestants a,b] [--external name=executable]… [--runs n]
			      [--jobs n] [--seconds n] [--rate n] [--set parameter=value]… [--url jdbc:postgresql://…]
			      [--directory d] [--report]

			  --quick        small sizes, one run: only shows that everything works
			  --workloads    only these: %s;
			                 pinned-long only runs when it is named
			  --contestants  only these: %s,
			                 or those that only run when they are named: %s
			  --external     one more, which speaks the protocol of tools/lab/peer
			  --runs         how often each workload runs; the report shows median, least and most
			  --jobs         the number of jobs of every workload; --seconds the duration
			  --rate         jobs per second of steady, default 0: as many as possible; and of pinned-long
			  --set          a parameter of postgresql.conf of the server that bench starts
			  --url          a server of yours instead, as a user who may create databases
			  --directory    where results.csv, benchmarks.md and its pictures go; default target/bench,
			                 or target/bench-quick. Results are appended to those of runs of the same sizes:
			                 delete results.csv to begin anew
			  --report       measures nothing, writes table and chart from results.csv
			""";

	private static final int QUICK_AND_SLOW = 300;

	/** The same for all contestants: a server as an administrator would set it up. */
	private static final Map<String, String> SERVER = new LinkedHashMap<>(Map.of("shared_buffers", "1GB",
			"max_wal_size", "4GB", "synchronous_commit", "on", "fsync", "on", "max_connections", "200"));

	/** How bench is called. */
	static String usage() {
		return USAGE.formatted(Workload.all().stream().map(Workload::name).toList(), Contestants.ALL,
				Contestants.ON_REQUEST);
	}

	static BenchOptions parse(String... words) {
		Arguments arguments = new Arguments(words);
		boolean quick = arguments.flag("--quick");
		List<Workload> workloads = arguments.list("--workloads")
			.map((names) -> names.stream().flatMap((name) -> Workload.named(name).stream()).toList())
			.orElse(Workload.usual());
		List<String> contestants = arguments.list("--contestants").orElse(Contestants.ALL);
		Map<String, Path> externals = new LinkedHashMap<>();
		pairs(arguments, "--external").forEach((name, path) -> externals.put(name, Path.of(path).toAbsolutePath()));
		Map<String, String> server = new LinkedHashMap<>(SERVER);
		server.putAll(pairs(arguments, "--set"));
		Map<String, Integer> sizes = new LinkedHashMap<>();
		arguments.value("--jobs").ifPresent((jobs) -> sizes.put(Workload.JOBS, Integer.valueOf(jobs)));
		arguments.value("--seconds").ifPresent((seconds) -> sizes.put(Workload.DURATION, Integer.valueOf(seconds)));
		arguments.value("--rate").ifPresent((rate) -> sizes.put(Workload.RATE, Integer.valueOf(rate)));
		if (sizes.getOrDefault(Workload.RATE, 0) > 0
				&& workloads.stream().anyMatch((workload) -> workload.name().equals(Workload.PINNED))) {
			throw new IllegalArgumentException("--rate is for steady; pinned needs what steady does without it");
		}
		Integer runs = arguments.value("--runs").map(Integer::valueOf).orElse(null);
		Optional<String> url = arguments.value("--url");
		Path directory = arguments.value("--directory")
			.map(Path::of)
			.orElse(Machine.output(quick ? "bench-quick" : "bench"))
			.toAbsolutePath()
			.normalize();
		boolean report = arguments.flag("--report");
		arguments.end();
		contestants.stream().filter((name) -> !Contestants.isKnown(name)).findFirst().ifPresent((name) -> {
			throw new IllegalArgumentException("There is no contestant '" + name + "', only " + Contestants.ALL
					+ " and " + Contestants.ON_REQUEST);
		});
		return new BenchOptions(quick, workloads, contestants, externals,
				(quick && runs == null) ? Integer.valueOf(1) : runs, sizes, url.orElse(null), server, directory,
				!report);
	}

	private static Map<String, String> pairs(Arguments arguments, String name) {
		Map<String, String> pairs = new LinkedHashMap<>();
		for (Optional<String> pair = arguments.value(name); pair.isPresent(); pair = arguments.value(name)) {
			String[] sides = pair.get().split("=", 2);
			if (sides.length != 2) {
				throw new IllegalArgumentException(name + " takes name=value, not " + pair.get());
			}
			pairs.put(sides[0], sides[1]);
		}
		return pairs;
	}

	/** All who take part. */
	List<String> names() {
		List<String> names = new ArrayList<>(this.contestants);
		names.addAll(this.externals.keySet());
		return names;
	}

	/** The sizes of a workload for a contestant; slow ones get fewer jobs. */
	Map<String, Integer> sizes(Workload workload, String contestant) {
		Map<String, Integer> sizes = new LinkedHashMap<>(this.quick ? workload.quick() : workload.full());
		for (String size : List.of(Workload.JOBS, Workload.WARM_UP)) {
			sizes.computeIfPresent(size, (key, jobs) -> Math.min(jobs, maxJobs(workload, contestant)));
		}
		this.sizes.forEach((key, value) -> sizes.computeIfPresent(key, (name, old) -> value));
		return sizes;
	}

	private int maxJobs(Workload workload, String contestant) {
		return switch (contestant) {
			case "jobrunr", "quartz", "dbos", "namastack" -> this.quick ? QUICK_AND_SLOW : switch (workload.name()) {
				case "backlog", "backlog-10m" -> 500_000;
				case "enqueue-one", "enqueue-one-warm" -> 5000;
				default -> 10_000;
			};
			case "db-scheduler" -> workload.name().equals("drain-warm") ? 200_000 : Integer.MAX_VALUE;
			default -> Integer.MAX_VALUE;
		};
	}

	int runs(Workload workload) {
		return (this.runs != null) ? this.runs : workload.runs();
	}

}

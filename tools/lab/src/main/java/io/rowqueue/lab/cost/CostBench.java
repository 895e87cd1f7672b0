package io.rowqueue.lab.cost;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import io.rowqueue.lab.Arguments;
import io.rowqueue.lab.Machine;
import io.rowqueue.lab.Sql;
import io.rowqueue.postgres.Database;

/** Measures what many lanes, many waiting jobs and idle applications cost. */
public final class CostBench {

	private static final List<String> STEPS = List.of("empty", "load", "waiting", "slow", "promote", "drain");

	private static final int JOBS_OF_A_LANE = 10;

	private static final int SLOW_MILLIS = 10;

	private static final String USAGE = """
			cost [--lanes 1000x20,1x10000] [--rows 2000000,10000000] [--steps empty,load,waiting,slow,promote,drain]
			     [--idle none,rowqueue,db-scheduler,jobrunr] [--minutes n]
			     [--seconds n] [--set parameter=value]… [--directory d]

			  --lanes      types x queues, each with a lane of its own; ten jobs wait in each
			  --rows       so many jobs wait, in twenty lanes (ten types, two queues)
			  --steps      empty: no job waits; load: 1,000 jobs a second run at once, in all lanes; waiting:
			               jobs wait and no worker has a handler for them; slow: all lanes have waiting jobs of
			               10 ms, and 1,000 a second arrive; promote: 1,000 scheduled jobs a second become due;
			               drain: jobs that do nothing
			  --idle       what applications hold and do that have nothing to do, one with each of these
			               queues: statements, connections, threads, classes, heap, CPU
			  --minutes    how long idle applications are measured; default 5
			  --seconds    of each step; default 20
			  --set        a parameter of postgresql.conf
			  --directory  where cost.md goes; default target/cost
			""";

	private CostBench() {
	}

	/**
	 * Runs.
	 * @param words the arguments
	 * @return 0; 2: it was called in a wrong way
	 * @throws Exception if a measurement fails
	 */
	public static int run(String... words) throws Exception {
		if (Arguments.askForHelp(words)) {
			System.out.print(USAGE);
			return 0;
		}
		Arguments arguments = new Arguments(words);
		List<String> lanes = arguments.list("--lanes").orElse(List.of());
		List<Long> rows = arguments.list("--rows").orElse(List.of()).stream().map(Long::valueOf).toList();
		List<String> steps = arguments.list("--steps").orElse(STEPS);
		List<String> idle = arguments.list("--idle").orElse(List.of());
		int minutes = arguments.value("--minutes").map(Integer::parseInt).orElse(5);
		int seconds = arguments.value("--seconds").map(Integer::parseInt).orElse(20);
		Map<String, String> settings = new LinkedHashMap<>();
		for (Optional<String> set = arguments.value("--set"); set.isPresent(); set = arguments.value("--set")) {
			String[] sides = set.get().split("=", 2);
			settings.put(sides[0], sides[1]);
		}
		Path directory = arguments.value("--directory").map(Path::of).orElse(Machine.output("cost"));
		arguments.end();
		if (!STEPS.containsAll(steps) || !Weight.queues().containsAll(idle)
				|| (lanes.isEmpty() && rows.isEmpty() && idle.isEmpty())) {
			System.err.print(USAGE);
			return 2;
		}
		List<String> lines = new ArrayList<>(List.of("# Costs", "", Machine.current().description()));
		if (!idle.isEmpty()) {
			heading("Idle applications", lines);
			Weight.measure(idle, minutes, settings, (line) -> {
				System.out.println(line);
				lines.add(line);
			});
		}
		if (!lanes.isEmpty() || !rows.isEmpty()) {
			try (CostServer server = new CostServer("cost", settings)) {
				for (String each : lanes) {
					String[] sides = each.split("x", 2);
					Lanes own = new Lanes(Integer.parseInt(sides[0]), Integer.parseInt(sides[1]));
					heading("%,d types in %,d queues".formatted(own.types(), own.queues()), lines);
					measure(server, own, (long) own.count() * JOBS_OF_A_LANE, steps, seconds, lines);
				}
				for (long jobs : rows) {
					heading("%,d waiting jobs".formatted(jobs), lines);
					measure(server, new Lanes(10, 2), jobs, steps, seconds, lines);
				}
			}
		}
		Files.createDirectories(directory);
		Files.write(directory.resolve("cost.md"), lines);
		System.out.println("Report: " + directory.resolve("cost.md"));
		return 0;
	}

	private static void measure(CostServer server, Lanes lanes, long jobs, List<String> steps, int seconds,
			List<String> lines) throws Exception {
		Database database = server.create("cost");
		CostRun run = new CostRun(server, database, lanes, seconds, (line) -> report(line, lines));
		run.create();
		if (steps.contains("empty")) {
			report("no job waits", lines);
			run.fill(0);
			run.idle();
		}
		if (steps.contains("load")) {
			run.load(0);
		}
		run.fill(jobs);
		report("%,.0f MB".formatted(Sql.number(database, "select pg_database_size(current_database()) / 1e6")), lines);
		if (steps.contains("waiting")) {
			run.idle();
		}
		if (steps.contains("promote")) {
			run.promote();
			run.settle();
		}
		if (steps.contains("slow")) {
			run.load(SLOW_MILLIS);
			run.settle();
		}
		if (steps.contains("drain")) {
			run.drain(0);
		}
	}

	private static void heading(String text, List<String> lines) {
		lines.add("");
		report("## " + text, lines);
		lines.add("");
	}

	private static void report(String line, List<String> lines) {
		System.out.println(line);
		lines.add((line.startsWith("#") || line.startsWith(" ")) ? line.stripTrailing() : "- " + line);
	}

}

package io.rowqueue.lab.scale;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import io.rowqueue.lab.Arguments;
import io.rowqueue.lab.Machine;

/** Measures what scaling out costs. */
public final class ScaleBench {

	private static final List<String> ALL = List.of("carried", "idle", "enqueue", "move");

	private static final String USAGE = """
			scale [--quick] [--only carried,idle,enqueue,move] [--jobs N] [--directory d]

			  --quick      tiny: shows that it works; the figures are meaningless
			  --only       carried: what a job costs that Kafka carries, and the drain of a topic
			               idle: what the second and third shard cost a process without jobs
			               enqueue: single jobs without keys, with one database and with two
			               move: the longest enqueue during a move, and dead rows at the source
			  --jobs       of carried and enqueue (a fifth of them); default 200000
			  --directory  where scale.md goes; default target/scale
			""";

	private ScaleBench() {
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
		boolean quick = arguments.flag("--quick");
		List<String> only = arguments.list("--only").orElse(ALL);
		int jobs = arguments.value("--jobs").map(Integer::parseInt).orElse(quick ? 2000 : 200_000);
		Path directory = arguments.value("--directory").map(Path::of).orElse(Machine.output("scale"));
		arguments.end();
		if (!ALL.containsAll(only)) {
			System.err.print(USAGE);
			return 2;
		}
		List<String> lines = new ArrayList<>(List.of("# Scaling out", "", Machine.current().description(), ""));
		try (ScaleServer server = new ScaleServer()) {
			measure(server, only, quick, jobs, lines);
		}
		Files.createDirectories(directory);
		Path file = directory.resolve("scale.md");
		Files.writeString(file, String.join("\n", lines) + "\n");
		System.out.println("Report: " + file);
		return 0;
	}

	private static void measure(ScaleServer server, List<String> only, boolean quick, int jobs, List<String> lines)
			throws Exception {
		ShardsRun shards = new ShardsRun(server, (line) -> report(line, lines));
		if (only.contains("carried")) {
			new CarriedJobsRun(server, jobs, (line) -> report(line, lines)).run();
		}
		if (only.contains("idle")) {
			shards.idle(Duration.ofSeconds(quick ? 3 : 60));
		}
		if (only.contains("enqueue")) {
			shards.enqueue(jobs / 5);
		}
		if (only.contains("move")) {
			for (int waiting : quick ? List.of(0, 1000) : List.of(0, 1000, 100_000)) {
				shards.move(waiting);
			}
		}
	}

	private static void report(String line, List<String> lines) {
		System.out.println(line);
		lines.add("- " + line);
	}

}

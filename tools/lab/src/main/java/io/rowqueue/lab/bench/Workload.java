package io.rowqueue.lab.bench;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A workload and its sizes.
 *
 * @param name how it is called on the command line
 * @param program what the contestant's process is asked to run
 * @param full sizes of a full run
 * @param quick sizes that only show that it works
 * @param runs how often a full run repeats it
 * @param description for the report
 */
record Workload(String name, String program, Map<String, Integer> full, Map<String, Integer> quick, int runs,
		String description) {

	static final String PINNED = "pinned";

	/** At a rate of its own, which is low, for as long as a report may take. */
	static final String PINNED_LONG = "pinned-long";

	static final String STEADY = "steady";

	static final String SCALE = "scale-";

	static final String JOBS = "JOBS";

	static final String DURATION = "DURATION";

	static final String RATE = "RATE";

	static final String WARM_UP = "WARM_UP";

	private static final List<String> WORK = List.of("drain", "backlog", SCALE);

	private static final List<Workload> ALL = List.of(
			new Workload("drain", "drain", Map.of(JOBS, 100_000), Map.of(JOBS, 5000), 3,
					"jobs that do nothing wait; one worker process drains them"),
			new Workload("drain-warm", "drain", Map.of(JOBS, 1_000_000, WARM_UP, 5_000_000),
					Map.of(JOBS, 5000, WARM_UP, 5000), 3,
					"drain of a million jobs by a process that has drained five million before"),
			new Workload("enqueue-one", "enqueue_one", Map.of(JOBS, 20_000, "THREADS", 8),
					Map.of(JOBS, 1000, "THREADS", 8), 3, "8 threads enqueue single jobs, a commit each"),
			new Workload("enqueue-one-warm", "enqueue_one", Map.of(JOBS, 100_000, WARM_UP, 400_000, "THREADS", 8),
					Map.of(JOBS, 1000, WARM_UP, 3000, "THREADS", 8), 3,
					"enqueue-one of 100,000 jobs by a process that has enqueued 400,000 before"),
			new Workload("enqueue-bulk", "enqueue_bulk", Map.of(JOBS, 100_000), Map.of(JOBS, 5000), 3,
					"one thread enqueues 1,000 jobs a commit through the bulk API"),
			new Workload("enqueue-bulk-warm", "enqueue_bulk", Map.of(JOBS, 1_000_000, WARM_UP, 4_000_000),
					Map.of(JOBS, 5000, WARM_UP, 10_000), 3,
					"enqueue-bulk of a million jobs by a process that has enqueued four million before"),
			new Workload("latency", "latency", Map.of(JOBS, 300), Map.of(JOBS, 40), 3,
					"the worker is idle, a job comes every 25 to 75 ms: from its commit to the start of its handler"),
			new Workload("latency-across", "latency_across", Map.of(JOBS, 300), Map.of(JOBS, 40), 3,
					"latency, but another process enqueues"),
			new Workload(STEADY, STEADY, Map.of(DURATION, 60, RATE, 0), Map.of(DURATION, 5, RATE, 0), 1,
					"producer (100 a commit) and worker together, at most 2,000 jobs outstanding"),
			new Workload("backlog", "backlog", Map.of(JOBS, 2_000_000, DURATION, 30), Map.of(JOBS, 50_000, DURATION, 5),
					1, "2 million ready jobs, worked off for 30 s"),
			new Workload("backlog-10m", "backlog", Map.of(JOBS, 10_000_000, DURATION, 30),
					Map.of(JOBS, 100_000, DURATION, 5), 1, "10 million ready jobs, worked off for 30 s"),
			new Workload("scheduled", "scheduled", Map.of(JOBS, 100_000, "SCHEDULED", 5_000_000),
					Map.of(JOBS, 5000, "SCHEDULED", 50_000), 1,
					"drain, with 5 million jobs of a higher priority that are due in a year"),
			new Workload(PINNED, PINNED, Map.of(DURATION, 120), Map.of(DURATION, 10), 1,
					"steady at 30 % of the contestant's own rate, while another session holds a REPEATABLE READ snapshot"),
			new Workload(PINNED_LONG, PINNED, Map.of(DURATION, 2700, RATE, 1300), Map.of(DURATION, 10, RATE, 200), 1,
					"1,300 jobs a second for 45 minutes, while another session holds a REPEATABLE READ snapshot"),
			new Workload("mixed", "mixed", Map.of(JOBS, 100_000), Map.of(JOBS, 5000), 3,
					"20 types, 3 priorities, unique keys, 1 % fail the first time and are retried"),
			new Workload(SCALE + 1, SCALE, Map.of(JOBS, 100_000), Map.of(JOBS, 5000), 3, "drain by 1 worker process"),
			new Workload(SCALE + 2, SCALE, Map.of(JOBS, 100_000), Map.of(JOBS, 5000), 3, "drain by 2 worker processes"),
			new Workload(SCALE + 4, SCALE, Map.of(JOBS, 100_000), Map.of(JOBS, 5000), 3, "drain by 4 worker processes"),
			new Workload(SCALE + "1-warm", SCALE, Map.of(JOBS, 1_000_000, WARM_UP, 3_000_000),
					Map.of(JOBS, 5000, WARM_UP, 5000), 3,
					"drain of a million jobs by 1 worker process that has drained three million before"),
			new Workload(SCALE + "4-warm", SCALE, Map.of(JOBS, 1_000_000, WARM_UP, 12_000_000),
					Map.of(JOBS, 5000, WARM_UP, 5000), 3,
					"drain of a million jobs by 4 worker processes that have drained three million each before"));

	static List<Workload> all() {
		return ALL;
	}

	/** Those that run when none is named. */
	static List<Workload> usual() {
		return ALL.stream().filter((workload) -> !workload.name.equals(PINNED_LONG)).toList();
	}

	/** The workloads of a name; {@code scale} means all of that kind. */
	static List<Workload> named(String name) {
		List<Workload> found = ALL.stream()
			.filter((workload) -> workload.name.equals(name)
					|| (workload.program.equals(SCALE) && name.equals("scale")))
			.toList();
		if (found.isEmpty()) {
			throw new IllegalArgumentException(
					"There is no workload '" + name + "', only " + ALL.stream().map(Workload::name).toList());
		}
		return found;
	}

	/** How many worker processes share the jobs; 0: it is not about that. */
	int processes() {
		return this.program.equals(SCALE) ? Integer.parseInt(this.name.split("-")[1]) : 0;
	}

	/** Why a contestant of this module does not take part, if it does not. */
	Optional<String> isNotFor(String contestant) {
		return switch (contestant) {
			case "limit-insert" ->
				this.program.startsWith("enqueue_") ? Optional.empty() : Optional.of("it only inserts");
			case "limit-rows", "limit-rows-delete" ->
				WORK.contains(this.program) ? Optional.empty() : Optional.of("it only works off what is there");
			default -> Optional.empty();
		};
	}

	/** Whether another session holds a snapshot meanwhile. */
	boolean isPinned() {
		return this.program.equals(PINNED);
	}

	/** Whether its figure is a time and not a rate. */
	boolean isLatency() {
		return this.name.startsWith("latency");
	}

}

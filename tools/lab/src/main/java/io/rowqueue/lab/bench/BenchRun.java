package io.rowqueue.lab.bench;

import java.io.IOException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

import io.rowqueue.lab.contestant.Ledger;

/** One workload of one contestant in a fresh database. */
final class BenchRun {

	/** For all that is done before and after the measured time. */
	private static final int LIMIT_SECONDS = 900;

	private final BenchOptions options;

	private final BenchServer server;

	private final Workload workload;

	private final String contestant;

	private final Map<String, String> environment = new LinkedHashMap<>();

	private final List<ContestantProcess> processes = new ArrayList<>();

	/**
	 * Prepares a run.
	 * @param rate jobs a second; 0: as many as are done
	 */
	BenchRun(BenchOptions options, BenchServer server, Workload workload, String contestant, int rate) {
		this.options = options;
		this.server = server;
		this.workload = workload;
		this.contestant = contestant;
		this.environment.put("CONTESTANT", contestant);
		this.environment.put("RATE", Integer.toString(rate));
		options.sizes(workload, contestant).forEach((key, value) -> this.environment.put(key, Integer.toString(value)));
	}

	/**
	 * Returns what was measured; {@code failed} or {@code unsupported} among it says why
	 * not.
	 */
	Map<String, String> run() throws IOException, InterruptedException, SQLException {
		String database = (this.contestant + "_" + this.workload.name()).replaceAll("\\W", "_")
			.toLowerCase(Locale.ROOT);
		String url = this.server.createDatabase(database);
		this.environment.putAll(BenchServer.environment(url));
		try (Probe probe = new Probe(url, this.server.process())) {
			return (this.workload.processes() > 0) ? share(probe) : alone(probe);
		}
		finally {
			this.processes.forEach((process) -> process.handle().destroyForcibly());
			this.server.drop(database);
		}
	}

	private Map<String, String> alone(Probe probe) throws IOException, InterruptedException, SQLException {
		ContestantProcess process = start(this.workload.program());
		if (process.awaitMark("start")) {
			if (this.workload.isPinned()) {
				probe.pin();
			}
			probe.start(handles());
			if (process.awaitMark("end")) {
				probe.end(handles());
			}
		}
		int exit = process.await();
		Map<String, String> metrics = new LinkedHashMap<>(process.metrics());
		if (exit != 0 || (probe.seconds() <= 0 && !metrics.containsKey("unsupported"))) {
			metrics.put("failed", "exit value " + exit + ", see " + log().getFileName());
		}
		if (probe.seconds() > 0) {
			put(metrics, probe.metrics(jobs(metrics, probe)));
		}
		return metrics;
	}

	/**
	 * How many jobs were done between the marks; others than ours tell only their rate.
	 */
	private double jobs(Map<String, String> metrics, Probe probe) {
		if (this.workload.isLatency()) {
			return Double.parseDouble(this.environment.getOrDefault(Workload.JOBS, "0"));
		}
		String jobs = metrics.remove("jobs");
		return (jobs != null) ? Double.parseDouble(jobs)
				: Double.parseDouble(metrics.getOrDefault("jobs_per_s", "0")) * probe.seconds();
	}

	/** Several processes drain what another one adds once they are there. */
	private Map<String, String> share(Probe probe) throws IOException, InterruptedException, SQLException {
		int warmUp = Integer.parseInt(this.environment.getOrDefault(Workload.WARM_UP, "0"));
		int jobs = Integer.parseInt(this.environment.getOrDefault(Workload.JOBS, "0"));
		Map<String, String> metrics = fill(0, 0); // creates the tables
		if (!metrics.isEmpty()) {
			return metrics;
		}
		for (int i = 0; i < this.workload.processes(); i++) {
			start("work");
		}
		if (!awaitReady() || !warmUp(warmUp)) {
			return refusal().orElseGet(() -> failure("a worker process did not get ready"));
		}
		metrics.putAll(fill(warmUp, jobs));
		if (!metrics.isEmpty()) {
			return metrics;
		}
		probe.start(handles());
		goAll();
		if (!awaitExecuted(warmUp + jobs)) {
			return failure("a worker process ended early");
		}
		goAll();
		for (ContestantProcess process : this.processes) {
			process.awaitMark("end");
		}
		probe.end(handles());
		long fingerprint = 0;
		long executed = 0;
		long warmed = 0;
		for (ContestantProcess process : this.processes) {
			if (process.await() != 0) {
				metrics.putAll(failure("a worker process failed"));
			}
			metrics.putAll(process.metrics());
			warmed += Long.parseLong(process.metrics().getOrDefault("warmed", "0"));
			fingerprint += Long.parseLong(process.metrics().getOrDefault("fingerprint", "0"));
			executed += Long.parseLong(process.metrics().getOrDefault("executed", "0"));
		}
		metrics.remove("fingerprint");
		if (warmed > 0) {
			metrics.put("warmed", Long.toString(warmed));
		}
		metrics.put("executed", Long.toString(executed));
		boolean once = fingerprint == Ledger.fingerprint(warmUp + jobs);
		metrics.put("missing", once ? "0" : "?");
		metrics.put("duplicates", once ? "0" : "?");
		put(metrics, Map.of("jobs_per_s", jobs / probe.seconds()));
		put(metrics, probe.metrics(jobs));
		return metrics;
	}

	/** Lets the processes drain some jobs that are not measured, if there are any. */
	private boolean warmUp(int jobs) throws IOException, InterruptedException {
		if (jobs == 0) {
			return true;
		}
		if (!fill(0, jobs).isEmpty()) {
			return false;
		}
		goAll();
		if (!awaitExecuted(jobs)) {
			return false;
		}
		goAll();
		return awaitReady();
	}

	/**
	 * Adds jobs, by a process of its own. Workers must find none while they start: they
	 * would run some before anything is measured. Returns why it could not, if so.
	 */
	private Map<String, String> fill(int from, int jobs) throws IOException, InterruptedException {
		ContestantProcess filler = start("fill",
				Map.of("FROM", Integer.toString(from), Workload.JOBS, Integer.toString(jobs)));
		int exit = filler.await();
		this.processes.remove(filler);
		if (exit != 0) {
			return failure("the jobs could not be added, exit value " + exit);
		}
		return refusal(filler).orElseGet(LinkedHashMap::new);
	}

	private Map<String, String> failure(String what) {
		return new LinkedHashMap<>(Map.of("failed", what + ", see " + log().getFileName()));
	}

	/** The output of a contestant that does not support the workload. */
	private static Optional<Map<String, String>> refusal(ContestantProcess process) {
		return Optional.ofNullable(process.metrics().get("unsupported"))
			.map((why) -> new LinkedHashMap<>(Map.of("unsupported", why)));
	}

	private Optional<Map<String, String>> refusal() {
		return this.processes.stream().flatMap((process) -> refusal(process).stream()).findFirst();
	}

	private boolean awaitReady() throws IOException {
		for (ContestantProcess process : this.processes) {
			if (!process.awaitMark("ready")) {
				return false;
			}
		}
		return true;
	}

	private void goAll() throws IOException {
		for (ContestantProcess process : this.processes) {
			process.go();
		}
	}

	/**
	 * Waits until the processes have run the given number of jobs together; returns false
	 * if one has ended before.
	 */
	private boolean awaitExecuted(int jobs) throws IOException, InterruptedException {
		int executed;
		do {
			TimeUnit.MILLISECONDS.sleep(5);
			executed = 0;
			for (ContestantProcess process : this.processes) {
				int own = process.executed();
				if (own < 0) {
					return false;
				}
				executed += own;
			}
		}
		while (executed < jobs);
		return true;
	}

	private ContestantProcess start(String program) throws IOException {
		return start(program, Map.of());
	}

	private ContestantProcess start(String program, Map<String, String> sizes) throws IOException {
		Map<String, String> all = new LinkedHashMap<>(this.environment);
		all.putAll(sizes);
		all.put("WORKLOAD", program);
		ContestantProcess process = ContestantProcess.start(this.options.externals().get(this.contestant), all, log());
		process.limit(limitSeconds(this.environment));
		this.processes.add(process);
		return process;
	}

	/** After how many seconds a process has failed. */
	static int limitSeconds(Map<String, String> sizes) {
		return LIMIT_SECONDS + Integer.parseInt(sizes.getOrDefault(Workload.DURATION, "0"));
	}

	private Path log() {
		return this.options.directory().resolve(this.contestant + "-" + this.workload.name() + ".log");
	}

	private List<ProcessHandle> handles() {
		return this.processes.stream().map(ContestantProcess::handle).toList();
	}

	private static void put(Map<String, String> metrics, Map<String, Double> more) {
		more.forEach((key, value) -> metrics.put(key, String.format(Locale.ROOT, "%.4f", value)));
	}

}

package io.rowqueue.lab.verify.worker;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;

import io.rowqueue.lab.verify.ledger.Event;
import io.rowqueue.lab.verify.ledger.LedgerFile;

/**
 * All worker processes of a round, started again when they were killed, as a supervisor
 * does.
 */
public final class Workers implements AutoCloseable {

	/** On a machine that has several rounds and other work to do. */
	private static final int START_SECONDS = 180;

	/**
	 * The first process writes the archive of its classes when it ends, which takes a
	 * minute on a busy machine.
	 */
	private static final int STOP_SECONDS = 180;

	private final Path directory;

	private final ClassArchive classes;

	private final List<WorkerProcess> started = new ArrayList<>();

	/**
	 * Creates a fleet without processes.
	 * @param directory where ledgers and logs go
	 * @param classes the classes of the processes of all rounds
	 */
	public Workers(Path directory, ClassArchive classes) {
		this.directory = directory;
		this.classes = classes;
	}

	/** Starts one and does not wait for it. */
	public WorkerProcess start(WorkerSpec spec) {
		boolean first = this.started.isEmpty();
		List<String> options = (first || this.classes.exists()) ? this.classes.options(written()) : List.of();
		WorkerProcess worker = WorkerProcess.start("worker-" + (this.started.size() + 1), spec, this.directory,
				options);
		this.started.add(worker);
		return worker;
	}

	/** The processes that are to be alive. */
	public List<WorkerProcess> alive() {
		return this.started.stream().filter(WorkerProcess::isAlive).toList();
	}

	/** One that takes jobs. */
	public WorkerProcess any(RandomGenerator random) throws InterruptedException {
		awaitReady();
		List<WorkerProcess> alive = alive();
		return alive.get(random.nextInt(alive.size()));
	}

	/** Waits until all that are alive take jobs. */
	public void awaitReady() throws InterruptedException {
		long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(START_SECONDS);
		while (!alive().stream().allMatch(WorkerProcess::isReady) || alive().isEmpty()) {
			if (System.nanoTime() > deadline || alive().isEmpty()) {
				throw new IllegalStateException(
						"The workers " + this.started + " do not begin, see their logs in " + this.directory);
			}
			TimeUnit.MILLISECONDS.sleep(50);
		}
	}

	/** Whether another process has begun one of the jobs after a point in time. */
	public boolean hasBegunElsewhere(WorkerProcess worker, Set<Long> jobs, long nanos) {
		return LedgerFile.read(this.directory)
			.stream()
			.filter((entry) -> entry.event() == Event.BEGUN && entry.nanos() > nanos)
			.anyMatch((entry) -> jobs.contains(entry.job()) && !entry.process().equals(worker.name()));
	}

	/** The processes that ended unexpectedly. */
	public List<WorkerProcess> dead() {
		return this.started.stream().filter(WorkerProcess::hasEndedByItself).toList();
	}

	/** Returns the names of the processes that ended unexpectedly. */
	public List<String> endedByThemselves() {
		return dead().stream().map(WorkerProcess::name).toList();
	}

	/** Stops all processes gracefully; returns those that did not end in time. */
	public List<String> stop() throws InterruptedException {
		List<String> late = new ArrayList<>();
		List<WorkerProcess> alive = alive();
		alive.forEach(WorkerProcess::askToStop);
		for (WorkerProcess worker : alive) {
			if (!worker.awaitEnd(STOP_SECONDS)) {
				late.add(worker.name());
			}
		}
		if (!this.started.isEmpty() && !this.started.get(0).isAlive()) {
			this.classes.keep(written());
		}
		return late;
	}

	/** Where the first process writes its classes. */
	private Path written() {
		return this.directory.resolve("classes.jsa");
	}

	@Override
	public void close() {
		alive().forEach((worker) -> {
			worker.thaw();
			worker.kill();
		});
	}

}

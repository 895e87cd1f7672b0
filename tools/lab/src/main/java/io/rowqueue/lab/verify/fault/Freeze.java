package io.rowqueue.lab.verify.fault;

import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;

import io.rowqueue.lab.verify.worker.WorkerProcess;
import io.rowqueue.lab.verify.worker.WorkerSpec;

/**
 * A worker that sleeps past its lease and wakes in the belief that it holds its jobs. It
 * wakes while one of them runs elsewhere, if it can be done: then its own completion and
 * the other one's meet. It sleeps past the lease of all of its jobs, or only past the
 * shorter one of those of a type or of the others.
 */
final class Freeze implements FaultUnderLoad {

	private static final Duration PATIENCE = Duration.ofMinutes(1);

	@Override
	public String name() {
		return "freeze";
	}

	@Override
	public String description() {
		return "SIGSTOP of a busy worker until its lease has run out and its jobs run elsewhere, then SIGCONT: what it"
				+ " completes must be refused";
	}

	@Override
	public List<String> types() {
		return WorkerSpec.TYPES_AND_IMPATIENT;
	}

	@Override
	public void strike(Scene scene) throws InterruptedException, SQLException {
		do {
			Busy busy = scene.find("a busy worker", PATIENCE, () -> busy(scene));
			freeze(scene, busy.worker(), busy.jobs());
			scene.pause(2000, 3000);
		}
		while (!scene.isOver());
	}

	private static Optional<Busy> busy(Scene scene) throws InterruptedException {
		WorkerProcess worker = scene.workers().any(scene.random());
		Set<Long> jobs = worker.busyWith();
		return jobs.isEmpty() ? Optional.empty() : Optional.of(new Busy(worker, jobs));
	}

	private static void freeze(Scene scene, WorkerProcess worker, Set<Long> jobs) throws InterruptedException {
		scene.harm(worker, "SIGSTOP of");
		long begin = System.nanoTime();
		worker.freeze();
		scene.awaitTakeOver(worker, jobs, begin, scene.random().nextBoolean());
		worker.thaw();
		scene.healed(worker, "SIGCONT of");
	}

	private record Busy(WorkerProcess worker, Set<Long> jobs) {

	}

}

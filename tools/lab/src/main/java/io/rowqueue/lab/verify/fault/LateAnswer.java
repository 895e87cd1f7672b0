package io.rowqueue.lab.verify.fault;

import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

import io.rowqueue.lab.verify.site.Sites;
import io.rowqueue.lab.verify.site.SlowWire;
import io.rowqueue.lab.verify.worker.WorkerProcess;
import io.rowqueue.lab.verify.worker.WorkerSpec;

/**
 * What a worker sends arrives, its heartbeat included, but the answers are held up until
 * its lease has run out and its jobs run elsewhere. When they arrive at last, they say
 * that all is well.
 */
final class LateAnswer implements FaultUnderLoad {

	private static final String URL = "spring.datasource.url";

	private static final Duration PATIENCE = Duration.ofMinutes(1);

	/** The way of each worker, by the URL that the worker has. */
	private final Map<String, SlowWire> wires = new ConcurrentHashMap<>();

	@Override
	public String name() {
		return "late-answer";
	}

	@Override
	public String description() {
		return "the answers to one busy worker are held up until its lease has run out and its jobs run elsewhere, and"
				+ " then all arrive";
	}

	@Override
	public Optional<String> obstacle(Sites sites) {
		return sites.refuseGiven("the URL may name several");
	}

	@Override
	public List<WorkerSpec> workers(WorkerSpec usual, int count) {
		List<WorkerSpec> workers = new ArrayList<>();
		for (int i = 0; i < count; i++) {
			SlowWire wire = SlowWire.to(Objects.requireNonNull(usual.properties().get(URL)));
			this.wires.put(wire.url(), wire);
			workers.add(usual.property(URL, wire.url()));
		}
		return workers;
	}

	@Override
	public void strike(Scene scene) throws InterruptedException, SQLException {
		do {
			WorkerProcess worker = scene.find("a busy worker", PATIENCE,
					() -> Optional.of(scene.workers().any(scene.random()))
						.filter((each) -> !each.busyWith().isEmpty()));
			holdUp(scene, worker, Objects.requireNonNull(this.wires.get(worker.spec().properties().get(URL))));
			scene.pause(2000, 3000);
		}
		while (!scene.isOver());
	}

	private static void holdUp(Scene scene, WorkerProcess worker, SlowWire wire) throws InterruptedException {
		Set<Long> jobs = worker.busyWith();
		scene.harm(worker, "answers are held up for");
		long begin = System.nanoTime();
		wire.hold();
		scene.awaitTakeOver(worker, jobs, begin);
		wire.release();
		scene.healed(worker, "all answers arrive at");
	}

}

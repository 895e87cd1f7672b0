package io.rowqueue.lab.verify.fault;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import io.rowqueue.lab.verify.site.Sites;
import io.rowqueue.lab.verify.worker.WorkerProcess;
import io.rowqueue.lab.verify.worker.WorkerSpec;

/** Machines do not agree about the time. */
final class SkewedClock implements FaultUnderLoad {

	private static final List<String> SKEWS = List.of("+3h", "-3h");

	@Override
	public String name() {
		return "clock";
	}

	@Override
	public String description() {
		return "the clocks of two workers are three hours ahead and three behind; now and then one is killed and the"
				+ " others judge it";
	}

	@Override
	public Optional<String> obstacle(Sites sites) {
		return Faketime.obstacle();
	}

	@Override
	public List<WorkerSpec> workers(WorkerSpec usual, int count) {
		List<WorkerSpec> workers = new ArrayList<>();
		for (int i = 0; i < count; i++) {
			workers.add((i < SKEWS.size()) ? skewed(usual, SKEWS.get(i)) : usual);
		}
		return workers;
	}

	private static WorkerSpec skewed(WorkerSpec usual, String skew) {
		WorkerSpec worker = usual;
		for (Map.Entry<String, String> variable : Faketime.skewed(skew).entrySet()) {
			worker = worker.environment(variable.getKey(), variable.getValue());
		}
		return worker;
	}

	@Override
	public void strike(Scene scene) throws InterruptedException {
		while (!scene.isOver()) {
			WorkerProcess worker = scene.workers().any(scene.random());
			scene.killAndReplace(worker);
			scene.pause(3000, 6000);
		}
	}

}

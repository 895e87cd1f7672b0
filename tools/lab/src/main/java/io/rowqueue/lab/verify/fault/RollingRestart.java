package io.rowqueue.lab.verify.fault;

import java.util.Collections;
import java.util.List;

import io.rowqueue.lab.verify.worker.WorkerProcess;
import io.rowqueue.lab.verify.worker.WorkerSpec;

/** A deployment: every worker is replaced by one that knows other types. */
final class RollingRestart implements FaultUnderLoad {

	private static final List<String> OLD = List.of(WorkerSpec.RETURNING, WorkerSpec.TRANSACTIONAL, "old");

	private static final List<String> NEW = List.of(WorkerSpec.RETURNING, WorkerSpec.TRANSACTIONAL, "new");

	private static final List<String> BOTH = List.of(WorkerSpec.RETURNING, WorkerSpec.TRANSACTIONAL, "old", "new");

	@Override
	public String name() {
		return "rolling";
	}

	@Override
	public String description() {
		return "all workers are replaced one by one, first by some that know a new type and no longer an old one, then by"
				+ " some that know both; jobs without a handler wait";
	}

	@Override
	public List<String> types() {
		return OLD;
	}

	@Override
	public List<WorkerSpec> workers(WorkerSpec usual, int count) {
		return Collections.nCopies(count, usual.types(OLD));
	}

	@Override
	public void strike(Scene scene) throws InterruptedException {
		scene.producer().types(BOTH);
		scene.note("jobs of the new type are enqueued before any worker has a handler for it");
		do {
			replaceAll(scene, NEW);
			replaceAll(scene, BOTH);
		}
		while (!scene.isOver());
	}

	private static void replaceAll(Scene scene, List<String> types) throws InterruptedException {
		for (WorkerProcess worker : scene.workers().alive()) {
			scene.replace(worker, worker.spec().types(types));
		}
	}

}

package io.rowqueue.lab.verify.fault;

import java.util.List;

import io.rowqueue.lab.verify.worker.WorkerSpec;

/** {@code kill -9}. */
final class KillNine implements FaultUnderLoad {

	@Override
	public String name() {
		return "kill";
	}

	@Override
	public String description() {
		return "kill -9 of a random worker every few seconds; another one is started a second later";
	}

	@Override
	public List<String> types() {
		return WorkerSpec.TYPES_AND_IMPATIENT;
	}

	@Override
	public void strike(Scene scene) throws InterruptedException {
		while (!scene.isOver()) {
			scene.killAndReplace(scene.workers().any(scene.random()));
			scene.pause(2000, 5000);
		}
	}

}

package io.pgqueue.lab.verify.fault;

import java.util.concurrent.TimeUnit;

import io.pgqueue.lab.verify.worker.WorkerProcess;

/** A worker that sleeps past its lease and wakes in the belief that it holds its jobs. */
final class Freeze implements Fault {

	private static final long MARGIN_MILLIS = 3000;

	@Override
	public String name() {
		return "freeze";
	}

	@Override
	public String description() {
		return "SIGSTOP of a random worker until its lease has run out, then SIGCONT: what it completes must be refused";
	}

	/** One that has work in hand: only its completions can be stale. */
	private static WorkerProcess busy(Scene scene) throws InterruptedException {
		WorkerProcess worker = scene.workers().any(scene.random());
		while (!worker.isBusy()) {
			worker = scene.workers().any(scene.random());
			scene.pause(5, 10);
		}
		return worker;
	}

	@Override
	public void strike(Scene scene) throws InterruptedException {
		do {
			WorkerProcess worker = busy(scene);
			scene.harm(worker, "SIGSTOP of");
			worker.freeze();
			TimeUnit.MILLISECONDS.sleep(scene.lease().toMillis() + MARGIN_MILLIS);
			scene.note("SIGCONT of " + worker);
			worker.thaw();
			scene.pause(2000, 3000);
		}
		while (!scene.isOver());
	}

}

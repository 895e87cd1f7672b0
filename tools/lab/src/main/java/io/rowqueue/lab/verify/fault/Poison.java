package io.rowqueue.lab.verify.fault;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

import io.rowqueue.Job;
import io.rowqueue.JobQueue;
import io.rowqueue.JobState;
import io.rowqueue.admin.JobAdmin;
import io.rowqueue.lab.verify.worker.WorkerProcess;
import io.rowqueue.lab.verify.worker.WorkerSpec;

/**
 * A job whose handler kills its process, while a supervisor starts the processes again.
 * It must end as failed after a few deaths, without having killed all processes at once.
 */
final class Poison implements FaultUnderLoad {

	/** The first one is not seen, and costs no attempt; three more are the limit. */
	private static final int MAX_DEATHS = 4;

	@Override
	public String name() {
		return "poison";
	}

	@Override
	public String description() {
		return "a job whose handler kills its process each time; the processes are started again";
	}

	@Override
	public List<WorkerSpec> workers(WorkerSpec usual, int count) {
		List<String> types = new ArrayList<>(types());
		types.add(WorkerSpec.POISON);
		WorkerSpec spec = usual.types(types)
			.property("rowqueue.worker.max-deaths", Integer.toString(MAX_DEATHS - 1))
			.property("rowqueue.retry.initial-delay", "2s");
		return Collections.nCopies(count, spec);
	}

	@Override
	public void strike(Scene scene) throws InterruptedException {
		JobQueue queue = scene.producer().bean(JobQueue.class);
		do {
			scene.workers().awaitReady();
			long id = queue.enqueue(WorkerSpec.POISON, null).id();
			await(id, queue, scene);
			scene.producer().bean(JobAdmin.class).erase(id); // the verdict does not know
																// it
		}
		while (!scene.isOver());
	}

	private static void await(long id, JobQueue queue, Scene scene) throws InterruptedException {
		int deaths = 0;
		int alive = scene.workers().alive().size();
		for (boolean failed = false; !failed; scene.pause(20, 50)) {
			// before the last look for the process whose death it is
			failed = queue.find(id).map(Job::state).filter(JobState.FAILED::equals).isPresent();
			for (WorkerProcess worker : scene.workers().dead()) {
				deaths++;
				alive = Math.min(alive, scene.workers().alive().size());
				scene.harm(worker, "the poison job has killed");
				worker.kill(); // so that its end is expected
				scene.pause(300, 1500);
				scene.workers().start(worker.spec());
			}
		}
		scene.result("A poison job failed after " + deaths + " deaths, during which at least " + alive
				+ " processes were alive");
		if (deaths > MAX_DEATHS) {
			throw new IllegalStateException("The poison job has killed " + deaths + " processes");
		}
	}

}

package io.rowqueue.lab.verify.fault;

import java.util.Collections;
import java.util.List;

import io.rowqueue.lab.verify.load.Traffic;
import io.rowqueue.lab.verify.worker.WorkerSpec;

/** Handlers fight for the connections of the application. */
final class ApplicationPool implements FaultUnderLoad {

	/** A handler that waits long for its turn has not failed. */
	private static final String PATIENCE_MILLIS = "120000";

	@Override
	public String name() {
		return "pool";
	}

	@Override
	public String description() {
		return "every handler holds a connection of the application, whose pool has a single one; the queue must not"
				+ " wait for it";
	}

	@Override
	public Traffic traffic() {
		return Traffic.USUAL.times(0.25); // one connection runs one job at a time
	}

	@Override
	public List<WorkerSpec> workers(WorkerSpec usual, int count) {
		return Collections.nCopies(count,
				usual.property("lab.holds-connection", "true")
					.property("spring.datasource.hikari.maximum-pool-size", "1")
					.property("spring.datasource.hikari.connection-timeout", PATIENCE_MILLIS));
	}

	@Override
	public void strike(Scene scene) throws InterruptedException {
		scene.awaitEnd();
	}

}

package io.pgqueue.worker;

import java.time.Duration;
import java.util.List;

import io.pgqueue.store.JobStore;
import io.pgqueue.store.WorkerStore;

/** Keeps the worker's leases, and shows which of its jobs run for longer. */
final class Heartbeat {

	static final Duration INTERVAL = Duration.ofSeconds(1);

	private final WorkerStore workers;

	private final JobStore store;

	private final long workerId;

	private final Pools pools;

	private final Runnable fenced;

	/**
	 * Creates the heartbeat.
	 * @param fenced called when the others have given this worker up
	 */
	Heartbeat(WorkerStore workers, JobStore store, long workerId, Pools pools, Runnable fenced) {
		this.workers = workers;
		this.store = store;
		this.workerId = workerId;
		this.pools = pools;
		this.fenced = fenced;
	}

	/** Sends one heartbeat. */
	void turn() {
		if (!this.workers.heartbeat(this.workerId)) {
			this.fenced.run();
			return;
		}
		List<ActiveJob> running = this.pools.running()
			.stream()
			.filter((job) -> job.isToBeShown(INTERVAL.toNanos()))
			.toList();
		if (!running.isEmpty()) {
			this.store.running(this.workerId, running.stream().map((job) -> job.job().lease()).toList());
			running.forEach(ActiveJob::shown);
		}
	}

}

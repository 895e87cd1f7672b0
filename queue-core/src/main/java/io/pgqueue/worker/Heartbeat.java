package io.pgqueue.worker;

import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

import io.pgqueue.store.JobStore;
import io.pgqueue.store.Lease;
import io.pgqueue.store.WorkerStore;
import io.pgqueue.worker.ActiveJob.StopReason;

/**
 * Keeps the worker's leases, shows which of its jobs run for longer and how far they are,
 * and stops those that are to be cancelled or have timed out.
 */
final class Heartbeat {

	static final Duration INTERVAL = Duration.ofSeconds(1);

	private final WorkerStore workers;

	private final JobStore store;

	private final long workerId;

	private final Pools pools;

	private final Timeouts timeouts;

	private final ProgressWriter progress;

	private final Runnable fenced;

	private int cancelRequests;

	private volatile long latest = System.nanoTime();

	/**
	 * Creates the heartbeat.
	 * @param timeouts looks at the running jobs before each heartbeat
	 * @param fenced called when the others have given this worker up
	 */
	Heartbeat(WorkerStore workers, JobStore store, long workerId, Pools pools, Timeouts timeouts, Runnable fenced) {
		this.workers = workers;
		this.store = store;
		this.workerId = workerId;
		this.pools = pools;
		this.timeouts = timeouts;
		this.progress = new ProgressWriter(store, workerId);
		this.fenced = fenced;
	}

	/** Sends one heartbeat. */
	void turn() {
		this.timeouts.turn();
		Optional<Integer> requests = this.workers.heartbeat(this.workerId);
		if (requests.isEmpty()) {
			this.fenced.run();
			return;
		}
		this.latest = System.nanoTime();
		if (requests.get() != this.cancelRequests) {
			cancel();
			this.cancelRequests = requests.get();
		}
		List<ActiveJob> all = this.pools.running();
		this.progress.write(all);
		List<ActiveJob> running = all.stream().filter((job) -> job.isToBeShown(INTERVAL.toNanos())).toList();
		if (!running.isEmpty()) {
			this.store.running(this.workerId, running.stream().map((job) -> job.job().lease()).toList());
			running.forEach(ActiveJob::shown);
		}
	}

	/** How long ago the database last took one. */
	Duration age() {
		return Duration.ofNanos(System.nanoTime() - this.latest);
	}

	private void cancel() {
		Set<Lease> leases = new HashSet<>(this.store.cancelRequested(this.workerId));
		this.pools.each((pool) -> pool.jobs()
			.held()
			.stream()
			.filter((job) -> leases.contains(job.job().lease()))
			.forEach((job) -> job.interrupt(StopReason.CANCELLED)));
	}

}

package io.pgqueue.worker;

import java.time.Duration;
import java.util.Optional;

import io.pgqueue.store.WorkerStore;

/**
 * Keeps the worker's leases, and stops jobs that have timed out. It touches no row of a
 * job: whoever locks those for long must not make the worker look dead.
 */
final class Heartbeat {

	static final Duration INTERVAL = Duration.ofSeconds(1);

	private final WorkerStore workers;

	private final long workerId;

	private final Timeouts timeouts;

	private final Reporter reporter;

	private final Runnable fenced;

	private volatile long latest = System.nanoTime();

	/**
	 * Creates the heartbeat.
	 * @param timeouts looks at the running jobs before each heartbeat
	 * @param reporter told of requests to cancel
	 * @param fenced called when the others have given this worker up
	 */
	Heartbeat(WorkerStore workers, long workerId, Timeouts timeouts, Reporter reporter, Runnable fenced) {
		this.workers = workers;
		this.workerId = workerId;
		this.timeouts = timeouts;
		this.reporter = reporter;
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
		this.reporter.cancelRequests(requests.get());
	}

	/** How long ago the database last took one. */
	Duration age() {
		return Duration.ofNanos(nanosOld());
	}

	/** The same in nanoseconds, for those who ask for each job. */
	long nanosOld() {
		return System.nanoTime() - this.latest;
	}

}

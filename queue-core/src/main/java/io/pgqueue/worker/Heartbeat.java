package io.pgqueue.worker;

import java.time.Duration;
import java.util.Optional;

import io.pgqueue.store.HeartbeatAnswer;
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

	/** The number of the latest heartbeat that the database has answered. */
	private long answered;

	/**
	 * Creates the heartbeat.
	 * @param timeouts looks at the running jobs before each heartbeat
	 * @param reporter told of requests to cancel
	 * @param fenced called when the others have given this worker up, or the database is
	 * in an older state than it was
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
		Optional<HeartbeatAnswer> answer = this.workers.heartbeat(this.workerId, this.answered);
		if (answer.isEmpty()) {
			this.fenced.run();
			return;
		}
		this.latest = System.nanoTime();
		this.answered = answer.get().number();
		this.reporter.cancelRequests(answer.get().cancelRequests());
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

package io.rowqueue.engine.worker;

import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;

import io.rowqueue.engine.support.SuspendAwareClock;
import io.rowqueue.engine.worker.WorkerStore.HeartbeatAnswer;

/**
 * Keeps the worker's leases. It touches no row of a job: a session that locks those for
 * long must not make the worker look dead. And nothing of the application runs in its
 * thread.
 */
final class Heartbeat {

	static final Duration INTERVAL = Duration.ofSeconds(1);

	private final WorkerStore workers;

	private final long workerId;

	private final Reporter reporter;

	private final Consumer<HeartbeatAnswer> wishes;

	private final Runnable fenced;

	/** When the latest one was sent that the database has taken. */
	private volatile long latest;

	/** The number of the latest heartbeat that the database has answered. */
	private long answered;

	/**
	 * Creates the heartbeat.
	 * @param reporter notified of requests to cancel
	 * @param wishes notified of what administrators want of the worker, with each answer
	 * @param fenced called when the others have given this worker up, or the database is
	 * in an older state than it was
	 */
	Heartbeat(WorkerStore workers, long workerId, Reporter reporter, Consumer<HeartbeatAnswer> wishes,
			Runnable fenced) {
		this.workers = workers;
		this.workerId = workerId;
		this.reporter = reporter;
		this.wishes = wishes;
		this.fenced = fenced;
		this.latest = SuspendAwareClock.nanoTime();
	}

	/**
	 * Sends one heartbeat. Its age counts from here: it is unknown how long the answer
	 * was on its way, or this process frozen before it could read it.
	 */
	void turn() {
		long sent = SuspendAwareClock.nanoTime();
		Optional<HeartbeatAnswer> answer = this.workers.heartbeat(this.workerId, this.answered);
		if (answer.isEmpty()) {
			this.fenced.run();
			return;
		}
		this.latest = sent;
		this.answered = answer.get().number();
		this.reporter.cancelRequests(answer.get().cancelRequests());
		this.wishes.accept(answer.get());
	}

	/** How long ago the latest one was sent that the database has taken. */
	Duration age() {
		return Duration.ofNanos(nanosOld());
	}

	/** The same in nanoseconds, for callers that ask for each job. */
	long nanosOld() {
		return SuspendAwareClock.nanoTime() - this.latest;
	}

}

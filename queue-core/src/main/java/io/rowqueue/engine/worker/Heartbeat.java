package io.rowqueue.engine.worker;

import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;

import io.rowqueue.engine.support.SuspendAwareClock;
import io.rowqueue.engine.support.Times;
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

	private final Consumer<HeartbeatAnswer> adminRequests;

	private final Runnable fenced;

	/** When the latest one was sent that the database has taken. */
	private volatile long latest;

	/** The number of the latest heartbeat that the database has answered. */
	private long answered;

	/** How much later than usual the database expects the next one. */
	private volatile Duration idle = Duration.ZERO;

	/**
	 * Creates the heartbeat.
	 * @param reporter notified of requests to cancel
	 * @param adminRequests notified of what administrators want of the worker, with each
	 * answer
	 * @param fenced called when the others have given this worker up, or the database is
	 * in an older state than it was
	 */
	Heartbeat(WorkerStore workers, long workerId, Reporter reporter, Consumer<HeartbeatAnswer> adminRequests,
			Runnable fenced) {
		this.workers = workers;
		this.workerId = workerId;
		this.reporter = reporter;
		this.adminRequests = adminRequests;
		this.fenced = fenced;
		this.latest = SuspendAwareClock.nanoTime();
	}

	/** How long to wait for the next turn. */
	Duration pause() {
		return Times.longer(INTERVAL, this.idle);
	}

	/**
	 * Sends one heartbeat. The lock covers the question whether the worker is idle: the
	 * answer must not be older than the end of its idle time.
	 */
	synchronized void turn() {
		send(this.idle);
	}

	/**
	 * Sends one heartbeat. Its age counts from here: it is unknown how long the answer
	 * was on its way, or this process frozen before it could read it.
	 * @param next how much later than usual the next one may come, since the worker holds
	 * no job and begins none before; zero: it does
	 * @return whether the worker goes on; if not, it was declared dead
	 */
	synchronized boolean send(Duration next) {
		long sent = SuspendAwareClock.nanoTime();
		Optional<HeartbeatAnswer> answer = this.workers.heartbeat(this.workerId, this.answered, next);
		if (answer.isEmpty()) {
			this.fenced.run();
			return false;
		}
		this.latest = sent;
		this.idle = next;
		this.answered = answer.get().number();
		this.reporter.cancelRequests(answer.get().cancelRequests());
		this.adminRequests.accept(answer.get());
		return true;
	}

	/**
	 * How long ago the latest one was sent that the database has taken, without the time
	 * for which an idle worker sends none.
	 */
	Duration age() {
		return Duration.ofNanos(Math.max(0, nanosOld() - this.idle.toNanos()));
	}

	/**
	 * How long ago the latest one was sent, in nanoseconds, for callers that ask for each
	 * job.
	 */
	long nanosOld() {
		return SuspendAwareClock.nanoTime() - this.latest;
	}

}

package io.rowqueue.autoconfigure.worker;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;

import io.rowqueue.autoconfigure.connection.WorkerConnections;
import io.rowqueue.engine.claim.WakeFlag;
import io.rowqueue.engine.maintenance.MaintenanceStore.NextWork;
import io.rowqueue.engine.support.AwakeOnly;
import io.rowqueue.engine.support.Loop;
import io.rowqueue.engine.support.Outage;
import io.rowqueue.engine.support.Pace;
import io.rowqueue.engine.support.Times;
import io.rowqueue.engine.wakeup.WakeUps;
import io.rowqueue.engine.worker.WorkerPhase;
import io.rowqueue.engine.worker.WorkerStatus;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Stops everything of the queue that uses the database in the background, and closes its
 * connections, when this process has had nothing to do for long enough. It starts again
 * for what this process enqueues or changes, and when something is due that the database
 * knew of.
 */
final class DeepSleep implements WorkerPhase {

	private static final Logger logger = LoggerFactory.getLogger(DeepSleep.class);

	/** How often, within the time after which it sleeps, it looks at the workers. */
	private static final int LOOKS = 10;

	/** As many nanoseconds as there can be. */
	private static final Duration FOREVER = Duration.ofNanos(Long.MAX_VALUE);

	private final @Nullable Duration after;

	private final QueueLifecycle workers;

	private final Supplier<List<AwakeOnly>> background;

	private final Supplier<NextWork> nextWork;

	private final WakeUps wakeUps;

	private final WorkerConnections connections;

	private final Outage outage;

	/** Raised by what this process enqueues or changes, and by the stop. */
	private final WakeFlag arrivals = new WakeFlag();

	private @Nullable Loop loop;

	private WakeUps.@Nullable Registration registration;

	/** When it may sleep; used by the thread. */
	private @Nullable Pace due;

	/**
	 * Creates the deep sleep.
	 * @param after how long this process has nothing to do before it sleeps;
	 * {@code null}: it never does
	 * @param workers decides whether there is something to do
	 * @param background what is stopped beside the workers
	 * @param nextWork asks the database how long it may sleep
	 */
	DeepSleep(@Nullable Duration after, QueueLifecycle workers, Supplier<List<AwakeOnly>> background,
			Supplier<NextWork> nextWork, WakeUps wakeUps, WorkerConnections connections, Outage outage) {
		this.after = after;
		this.workers = workers;
		this.background = background;
		this.nextWork = nextWork;
		this.wakeUps = wakeUps;
		this.connections = connections;
		this.outage = outage;
	}

	@Override
	public synchronized void start() {
		Duration after = this.after;
		if (this.loop == null && after != null) {
			this.registration = this.wakeUps.listen((arrived) -> this.arrivals.raise());
			this.loop = new Loop("rowqueue-sleep", this.outage, after.dividedBy(LOOKS), () -> turn(after));
			this.loop.start();
		}
	}

	/** Before the workers, which it must not start again. */
	@Override
	public void stop() {
		Loop ended = end();
		if (ended == null) {
			return;
		}
		this.arrivals.raise();
		try {
			ended.join(Duration.ofMinutes(1));
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

	private synchronized @Nullable Loop end() {
		Loop ended = this.loop;
		this.loop = null;
		if (ended != null) {
			ended.stop();
		}
		if (this.registration != null) {
			this.registration.close();
		}
		return ended;
	}

	@Override
	public synchronized boolean isRunning() {
		return this.loop != null;
	}

	/**
	 * An arrival begins the time anew, also one that the worker has not noticed yet: it
	 * must not be stopped before it has.
	 */
	private void turn(Duration after) throws InterruptedException {
		if (this.arrivals.lower() || !isIdle()) {
			this.due = null;
		}
		else if (this.due == null) {
			this.due = new Pace(after);
		}
		else if (this.due.isDue()) {
			this.due = null;
			NextWork next = this.nextWork.get();
			if (next.idle() && (next.in() == null || next.in().compareTo(after) >= 0)) {
				sleep(Objects.requireNonNullElse(next.in(), FOREVER));
			}
		}
	}

	private boolean isIdle() {
		return this.workers.status().filter(WorkerStatus::idle).isPresent();
	}

	private void sleep(Duration longest) throws InterruptedException {
		logger.info("The queue has nothing to do and closes its connections until this process enqueues a job{}",
				longest.equals(FOREVER) ? "" : ", at most for " + Times.readable(longest));
		List<AwakeOnly> others = this.background.get();
		try {
			others.forEach(AwakeOnly::stop);
			this.workers.fallAsleep();
			this.connections.rest(true);
			this.arrivals.await(longest);
		}
		finally {
			this.connections.rest(false);
			if (isRunning()) { // the application does not stop
				this.workers.start();
				others.forEach(AwakeOnly::start);
				logger.info("The queue is awake");
			}
		}
	}

}

package io.rowqueue.autoconfigure.worker;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

import io.rowqueue.autoconfigure.connection.WorkerConnections;
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

	private final @Nullable Duration after;

	private final QueueLifecycle workers;

	private final Supplier<List<AwakeOnly>> background;

	private final Supplier<NextWork> nextWork;

	private final WakeUps wakeUps;

	private final WorkerConnections connections;

	private final Outage outage;

	private @Nullable Loop loop;

	/** When it may sleep; used by the thread. */
	private @Nullable Pace due;

	private volatile @Nullable CountDownLatch woken;

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
		CountDownLatch asleep = this.woken;
		if (asleep != null) {
			asleep.countDown();
		}
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
		return ended;
	}

	@Override
	public synchronized boolean isRunning() {
		return this.loop != null;
	}

	private void turn(Duration after) throws InterruptedException {
		if (!isIdle()) {
			this.due = null;
		}
		else if (this.due == null) {
			this.due = new Pace(after);
		}
		else if (this.due.isDue()) {
			this.due = null;
			sleepIfNothingIsDue(after);
		}
	}

	private boolean isIdle() {
		return this.workers.status().filter(WorkerStatus::idle).isPresent();
	}

	private void sleepIfNothingIsDue(Duration after) throws InterruptedException {
		CountDownLatch woken = new CountDownLatch(1);
		try (WakeUps.Registration arrivals = this.wakeUps.listen((arrived) -> woken.countDown());
				WakeUps.Registration changes = this.wakeUps.maintain(woken::countDown)) {
			NextWork next = this.nextWork.get();
			Duration in = next.in();
			if (!next.idle() || !isIdle() || (in != null && in.compareTo(after) < 0)) {
				logger.trace("There is something to do for {} and {}", arrivals, changes);
				return;
			}
			this.woken = woken;
			try {
				sleep(woken, in);
			}
			finally {
				this.woken = null;
			}
		}
	}

	private void sleep(CountDownLatch woken, @Nullable Duration longest) throws InterruptedException {
		logger.info("The queue has nothing to do and closes its connections until this process enqueues a job{}",
				(longest != null) ? ", at most for " + Times.readable(longest) : "");
		List<AwakeOnly> stopped = this.background.get();
		stopped.forEach(AwakeOnly::stop);
		this.workers.fallAsleep();
		this.connections.rest(true);
		if (isRunning()) {
			await(woken, longest);
		}
		if (!isRunning()) {
			return; // the application stops
		}
		this.connections.rest(false);
		this.workers.wakeUp();
		stopped.forEach(AwakeOnly::start);
		logger.info("The queue is awake");
	}

	private static void await(CountDownLatch woken, @Nullable Duration longest) throws InterruptedException {
		if (longest == null) {
			woken.await();
		}
		else {
			woken.await(longest.toNanos(), TimeUnit.NANOSECONDS);
		}
	}

}

package io.rowqueue.engine.support;

import java.time.Duration;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A thread that does one thing again and again until it is stopped. No failure ends it:
 * it waits, longer each time, and tries again.
 */
public final class Loop {

	private static final Logger logger = LoggerFactory.getLogger(Loop.class);

	private final String name;

	private final Outage outage;

	private final Supplier<Duration> pause;

	private final Turn turn;

	private final ThreadFactory threads;

	private final ReentrantLock lock = new ReentrantLock();

	private final Condition changed = this.lock.newCondition();

	private volatile @Nullable Thread thread;

	/** Whether the thread runs; false as well if an interrupt has ended it. */
	private volatile boolean running;

	private boolean woken;

	private volatile boolean stopped;

	/**
	 * Creates a loop whose turns wait for work themselves.
	 * @param name the name of the thread
	 * @param outage notified of failures and successes
	 * @param turn what is done
	 */
	public Loop(String name, Outage outage, Turn turn) {
		this(name, outage, Duration.ZERO, turn);
	}

	/**
	 * Creates a loop.
	 * @param name the name of the thread
	 * @param outage notified of failures and successes
	 * @param interval the pause between two turns
	 * @param turn what is done
	 */
	public Loop(String name, Outage outage, Duration interval, Turn turn) {
		this(name, outage, () -> interval, turn);
	}

	/**
	 * Creates a loop.
	 * @param name the name of the thread
	 * @param outage notified of failures and successes
	 * @param pause asked after each turn how long the pause until the next one is
	 * @param turn what is done
	 */
	public Loop(String name, Outage outage, Supplier<Duration> pause, Turn turn) {
		this(name, outage, pause, turn, (run) -> new Thread(run, name));
	}

	Loop(String name, Outage outage, Supplier<Duration> pause, Turn turn, ThreadFactory threads) {
		this.name = name;
		this.outage = outage;
		this.pause = pause;
		this.turn = turn;
		this.threads = threads;
	}

	/** Starts the thread; it does not keep the process alive. */
	public void start() {
		start(true);
	}

	/** Starts the thread, which keeps the process alive until it is stopped. */
	public void startAndStay() {
		start(false);
	}

	private void start(boolean daemon) {
		this.lock.lock();
		try {
			if (this.running) {
				throw new IllegalStateException(this.name + " runs already");
			}
			Thread started = this.threads.newThread(this::run);
			started.setDaemon(daemon);
			started.start();
			this.thread = started;
			this.running = true;
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Ends the pause, so that the next turn begins at once. Starts the thread if it does
	 * not run; if that fails, which is reported, the next call tries again. Has no effect
	 * if the loop was stopped. Returns at once.
	 */
	public void wake() {
		this.lock.lock();
		try {
			if (this.stopped) {
				return;
			}
			this.woken = true;
			this.changed.signal();
			if (!this.running) {
				start();
			}
		}
		catch (Throwable ex) { // no more threads, for example: the caller has committed
			report(ex);
		}
		finally {
			this.lock.unlock();
		}
	}

	/** Ends the loop after the current turn, or after the one that it was woken for. */
	public void stop() {
		this.lock.lock();
		try {
			this.stopped = true;
			this.changed.signal();
		}
		finally {
			this.lock.unlock();
		}
	}

	/** Whether the loop was stopped. */
	public boolean isStopped() {
		return this.stopped;
	}

	/**
	 * Waits until the thread has ended.
	 * @param timeout how long to wait at most
	 * @return whether it has
	 * @throws InterruptedException if the waiting thread is interrupted
	 */
	public boolean join(Duration timeout) throws InterruptedException {
		@Nullable Thread started = this.thread;
		if (started == null) {
			return true;
		}
		started.join(Math.max(1, timeout.toMillis()));
		return !started.isAlive();
	}

	private void run() {
		Pace pace = Pace.dueNow(Duration.ZERO);
		try {
			while (awaitTurn(pace)) {
				if (turn()) {
					pace.next(this.pause.get());
				}
				else {
					pace.failed();
				}
			}
		}
		catch (InterruptedException ex) {
			logger.debug("{} was interrupted and ends", this.name);
		}
		finally {
			this.running = false;
		}
	}

	/** Returns whether there is a next turn, when it is due or the loop is woken. */
	private boolean awaitTurn(Pace pace) throws InterruptedException {
		this.lock.lockInterruptibly();
		try {
			while (!this.woken && !this.stopped && !pace.isDue()) {
				this.changed.awaitNanos(pace.remaining().toNanos());
			}
			boolean next = this.woken || !this.stopped;
			this.woken = false;
			return next;
		}
		finally {
			this.lock.unlock();
		}
	}

	private boolean turn() throws InterruptedException {
		ThreadState before = ThreadState.current();
		try {
			this.turn.run();
			this.outage.over(this.name);
			return true;
		}
		catch (InterruptedException ex) {
			throw ex;
		}
		catch (Throwable ex) { // also an Error: a queue without this thread would be dead
			if (!this.stopped) {
				report(ex);
			}
			return false;
		}
		finally {
			before.restoreAfter(this.name);
		}
	}

	private void report(Throwable error) {
		try {
			this.outage.report(this.name, error, this::wake);
		}
		catch (Throwable ex) {
			// no memory for that either, for example: the next failure is reported
		}
	}

	/** One turn of a loop. */
	@FunctionalInterface
	public interface Turn {

		/**
		 * Does what there is to do.
		 * @throws Exception if it could not be done; it is tried again
		 */
		void run() throws Exception;

	}

}

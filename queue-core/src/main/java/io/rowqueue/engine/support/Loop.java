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

	/**
	 * A pause that only {@link #wake()} ends. After a minute of it the thread ends, and
	 * the next call starts another one.
	 */
	public static final Duration UNTIL_WOKEN = Duration.ofNanos(Long.MAX_VALUE);

	/** How long a thread waits to be woken before it ends. */
	public static final Duration MAX_IDLE = Duration.ofMinutes(1);

	private static final Logger logger = LoggerFactory.getLogger(Loop.class);

	private final String name;

	private final Outage outage;

	private final Supplier<Duration> pause;

	private final Turn turn;

	private final ThreadFactory threads;

	private final Duration maxIdle;

	private final ReentrantLock lock = new ReentrantLock();

	private final Condition changed = this.lock.newCondition();

	/** What takes the turns; {@code null}: nothing does, or has ceased to. */
	private volatile @Nullable Thread thread;

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
		this(name, outage, pause, turn, (run) -> new Thread(run, name), MAX_IDLE);
	}

	/**
	 * Creates a loop.
	 * @param threads makes its threads
	 * @param maxIdle how long a thread waits to be woken before it ends
	 */
	Loop(String name, Outage outage, Supplier<Duration> pause, Turn turn, ThreadFactory threads, Duration maxIdle) {
		this.name = name;
		this.outage = outage;
		this.pause = pause;
		this.turn = turn;
		this.threads = threads;
		this.maxIdle = maxIdle;
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
			if (this.thread != null) {
				throw new IllegalStateException(this.name + " runs already");
			}
			Thread started = this.threads.newThread(this::runThread);
			started.setDaemon(daemon);
			started.start();
			this.thread = started;
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Takes the turns in the calling thread, and returns when the loop was stopped.
	 * @throws InterruptedException if the calling thread is interrupted
	 */
	public void run() throws InterruptedException {
		this.thread = Thread.currentThread();
		takeTurns();
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
			if (this.thread == null) {
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

	private void runThread() {
		try {
			takeTurns();
		}
		catch (InterruptedException ex) {
			logger.debug("{} was interrupted and ends", this.name);
		}
	}

	private void takeTurns() throws InterruptedException {
		Pace pace = Pace.dueNow(Duration.ZERO);
		boolean due = true;
		try {
			while (awaitTurn(pace, due)) {
				due = true;
				if (!turn()) {
					pace.failed();
					continue;
				}
				Duration next = this.pause.get();
				due = !next.equals(UNTIL_WOKEN);
				pace.next(due ? next : this.maxIdle);
			}
		}
		finally {
			if (this.thread == Thread.currentThread()) { // or another one takes them now
				this.thread = null;
			}
		}
	}

	/**
	 * Returns whether there is a next turn, when the pause is over or the loop is woken.
	 * @param due whether there is one when the pause is over
	 */
	private boolean awaitTurn(Pace pace, boolean due) throws InterruptedException {
		this.lock.lockInterruptibly();
		try {
			while (!this.woken && !this.stopped && !pace.isDue()) {
				this.changed.awaitNanos(pace.remaining().toNanos());
			}
			boolean next = this.woken || (due && !this.stopped);
			this.woken = false;
			if (!next) { // within the lock: who wakes the loop now starts a thread
				this.thread = null;
			}
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

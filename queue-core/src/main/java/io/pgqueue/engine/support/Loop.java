package io.pgqueue.engine.support;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A thread that does one thing again and again until it is told to stop. Nothing that
 * goes wrong ends it: it waits, longer each time, and goes on.
 */
public final class Loop {

	private static final Logger logger = LoggerFactory.getLogger(Loop.class);

	private final Thread thread;

	private final Turn turn;

	private final Outage outage;

	private final Supplier<Duration> pause;

	private final CountDownLatch stopped = new CountDownLatch(1);

	/**
	 * Creates a loop whose turns wait for work themselves.
	 * @param name the name of the thread
	 * @param outage told of what goes wrong and of what goes well
	 * @param turn what is done
	 */
	public Loop(String name, Outage outage, Turn turn) {
		this(name, outage, Duration.ZERO, turn);
	}

	/**
	 * Creates a loop.
	 * @param name the name of the thread
	 * @param outage told of what goes wrong and of what goes well
	 * @param interval the pause between two turns
	 * @param turn what is done
	 */
	public Loop(String name, Outage outage, Duration interval, Turn turn) {
		this(name, outage, () -> interval, turn);
	}

	/**
	 * Creates a loop.
	 * @param name the name of the thread
	 * @param outage told of what goes wrong and of what goes well
	 * @param pause tells after each turn how long the pause to the next one is
	 * @param turn what is done
	 */
	public Loop(String name, Outage outage, Supplier<Duration> pause, Turn turn) {
		this.pause = pause;
		this.turn = turn;
		this.outage = outage;
		this.thread = new Thread(this::run, name);
	}

	/** Starts the thread; it does not keep the process alive. */
	public void start() {
		this.thread.setDaemon(true);
		this.thread.start();
	}

	/** Starts the thread, which keeps the process alive until it is stopped. */
	public void startAndStay() {
		this.thread.setDaemon(false);
		this.thread.start();
	}

	/** Lets the current turn be the last. */
	public void stop() {
		this.stopped.countDown();
	}

	/** Whether the loop was told to stop. */
	public boolean isStopped() {
		return this.stopped.getCount() == 0;
	}

	/**
	 * Waits until the thread has ended.
	 * @param timeout how long to wait at most
	 * @return whether it has
	 * @throws InterruptedException if the waiting thread is interrupted
	 */
	public boolean join(Duration timeout) throws InterruptedException {
		this.thread.join(Math.max(1, timeout.toMillis()));
		return !this.thread.isAlive();
	}

	private void run() {
		Backoff backoff = new Backoff();
		try {
			boolean end = isStopped();
			while (!end) {
				end = pause(turn() ? backoff.reset(this.pause.get()) : backoff.next());
			}
		}
		catch (InterruptedException ex) {
			logger.debug("{} was interrupted and ends", this.thread.getName());
		}
	}

	private boolean turn() throws InterruptedException {
		try {
			this.turn.run();
			this.outage.over(this.thread.getName());
			return true;
		}
		catch (InterruptedException ex) {
			throw ex;
		}
		catch (Throwable ex) { // also an Error: a queue without this thread would be dead
			if (!isStopped()) {
				report(ex);
			}
			return false;
		}
	}

	private void report(Throwable error) {
		try {
			this.outage.report(this.thread.getName(), error);
		}
		catch (Throwable ex) {
			// no memory for that either, for example: the next turn that fails tells
		}
	}

	private boolean pause(Duration time) throws InterruptedException {
		return this.stopped.await(time.toNanos(), TimeUnit.NANOSECONDS);
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

package io.pgqueue.engine.support;

import java.time.Duration;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A thread that does at once what it is asked for, and all that comes meanwhile together
 * in its next turn. It begins with the first request, and is a daemon. No failure is the
 * end of it: what a turn leaves undone is found by others, and the next one is tried.
 */
public final class BatchingThread {

	private static final Duration LAST_TURN = Duration.ofSeconds(1);

	private static final Logger logger = LoggerFactory.getLogger(BatchingThread.class);

	private final String name;

	private final Turn turn;

	private final ThreadFactory threads;

	private final ReentrantLock lock = new ReentrantLock();

	private final Condition changed = this.lock.newCondition();

	private Set<String> waiting = new LinkedHashSet<>();

	private boolean asked;

	/** When it takes a turn without being asked; {@code null}: never. */
	private @Nullable Long nextAt;

	private @Nullable Thread thread;

	private boolean closed;

	/** Whether the latest try failed. */
	private volatile boolean failing;

	/**
	 * Creates the thread, but does not start it.
	 * @param name its name
	 * @param turn what it does
	 */
	public BatchingThread(String name, Turn turn) {
		this(name, turn, (run) -> new Thread(run, name));
	}

	/**
	 * Creates the thread, but does not start it.
	 * @param name its name
	 * @param turn what it does
	 * @param threads makes it, anew if it has ended
	 */
	public BatchingThread(String name, Turn turn, ThreadFactory threads) {
		this.name = name;
		this.turn = turn;
		this.threads = threads;
	}

	/** Asks for a turn with these names, none of them included. Returns at once. */
	public void ask(Collection<String> names) {
		this.lock.lock();
		try {
			if (this.closed) {
				return;
			}
			this.asked = true;
			this.waiting.addAll(names);
			this.changed.signal();
			if (this.thread == null) {
				begin();
			}
		}
		finally {
			this.lock.unlock();
		}
	}

	private void begin() {
		try {
			Thread begun = this.threads.newThread(this::run);
			begun.setDaemon(true);
			begun.start();
			this.thread = begun;
		}
		catch (Throwable ex) { // no more threads, for example: the caller has committed
			report("could not be started", ex);
		}
	}

	/** Does what it was asked for, and ends; waits a second for that at most. */
	public void close() {
		@Nullable Thread running = end();
		try {
			if (running != null) {
				running.join(LAST_TURN.toMillis());
			}
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

	private @Nullable Thread end() {
		this.lock.lock();
		try {
			this.closed = true;
			this.changed.signal();
			return this.thread;
		}
		finally {
			this.lock.unlock();
		}
	}

	private void run() {
		try {
			@Nullable Set<String> names = take();
			while (names != null) {
				turn(names);
				names = take();
			}
		}
		catch (InterruptedException ex) {
			logger.debug("{} was interrupted; what it leaves is found by others", this.name);
		}
		finally {
			ended();
		}
	}

	private void turn(Set<String> names) throws InterruptedException {
		this.nextAt = null;
		try {
			@Nullable Duration again = this.turn.take(names);
			this.nextAt = (again != null) ? Long.valueOf(System.nanoTime() + again.toNanos()) : null;
			this.failing = false;
		}
		catch (InterruptedException ex) {
			throw ex;
		}
		catch (Throwable ex) { // also an Error: nothing but the thread would end
			report("failed", ex);
		}
	}

	/** The first of several failures in a row is worth a line. */
	private void report(String what, Throwable error) {
		try {
			if (this.failing) {
				logger.debug("{} {} again", this.name, what, error);
			}
			else if (Outage.isAway(error)) {
				logger.warn("{} {} and tries again when it is asked; what it leaves is found by others: {}", this.name,
						what, ErrorText.summaryOfRoot(error));
				this.failing = true;
			}
			else {
				logger.warn("{} {} and tries again when it is asked; what it leaves is found by others", this.name,
						what, error);
				this.failing = true;
			}
		}
		catch (Throwable ex) {
			this.failing = false; // out of memory, for example: the next time tells
		}
	}

	/** Whoever asks next starts it anew. */
	private void ended() {
		this.lock.lock();
		try {
			this.thread = null;
		}
		finally {
			this.lock.unlock();
		}
	}

	/** Waits for something to do; {@code null}: the end. */
	private @Nullable Set<String> take() throws InterruptedException {
		this.lock.lock();
		try {
			while (!this.asked && !this.closed && !isTime()) {
				if (this.nextAt != null) {
					this.changed.awaitNanos(this.nextAt - System.nanoTime());
				}
				else {
					this.changed.await();
				}
			}
			if (!this.asked && this.closed) {
				return null;
			}
			Set<String> names = this.waiting;
			this.waiting = new LinkedHashSet<>();
			this.asked = false;
			return names;
		}
		finally {
			this.lock.unlock();
		}
	}

	private boolean isTime() {
		return this.nextAt != null && this.nextAt - System.nanoTime() <= 0;
	}

	/** What is done. */
	@FunctionalInterface
	public interface Turn {

		/**
		 * Does it. Whatever else it throws is logged, and the next turn comes when
		 * somebody asks.
		 * @param names what was asked for since the turn before
		 * @return how long until the next turn at the latest, or {@code null}: not before
		 * somebody asks
		 */
		@Nullable Duration take(Set<String> names) throws InterruptedException;

	}

}

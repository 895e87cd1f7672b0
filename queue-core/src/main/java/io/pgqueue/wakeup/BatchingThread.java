package io.pgqueue.wakeup;

import java.time.Duration;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A thread that does at once what it is asked for, and all that comes meanwhile together
 * in its next turn. It begins with the first request, and is a daemon.
 */
final class BatchingThread {

	private static final Duration LAST_TURN = Duration.ofSeconds(1);

	private static final Logger logger = LoggerFactory.getLogger(BatchingThread.class);

	private final String name;

	private final Turn turn;

	private final ReentrantLock lock = new ReentrantLock();

	private final Condition changed = this.lock.newCondition();

	private Set<String> waiting = new LinkedHashSet<>();

	private boolean asked;

	/** When it takes a turn without being asked; {@code null}: never. */
	private @Nullable Long nextAt;

	private @Nullable Thread thread;

	private boolean closed;

	/**
	 * Creates the thread, but does not start it.
	 * @param name its name
	 * @param turn what it does
	 */
	BatchingThread(String name, Turn turn) {
		this.name = name;
		this.turn = turn;
	}

	/** Asks for a turn with these names, none of them included. Returns at once. */
	void ask(Collection<String> names) {
		this.lock.lock();
		try {
			if (this.closed) {
				return;
			}
			this.asked = true;
			this.waiting.addAll(names);
			this.changed.signal();
			if (this.thread == null) {
				this.thread = new Thread(this::run, this.name);
				this.thread.setDaemon(true);
				this.thread.start();
			}
		}
		finally {
			this.lock.unlock();
		}
	}

	/** Does what it was asked for, and ends; waits a second for that at most. */
	void close() {
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
				@Nullable Duration again = this.turn.take(names);
				this.nextAt = (again != null) ? Long.valueOf(System.nanoTime() + again.toNanos()) : null;
				names = take();
			}
		}
		catch (InterruptedException ex) {
			logger.debug("{} was interrupted; what it leaves is found by others", this.name);
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
	interface Turn {

		/**
		 * Does it; must not throw anything else.
		 * @param names what was asked for since the turn before
		 * @return how long until the next turn at the latest, or {@code null}: not before
		 * somebody asks
		 */
		@Nullable Duration take(Set<String> names) throws InterruptedException;

	}

}

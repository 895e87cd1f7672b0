package io.pgqueue.wakeup;

import java.time.Duration;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;

import io.pgqueue.store.Admission;
import io.pgqueue.store.LimitStore;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lets jobs with limit keys in as soon as this process knows that one may be: it has
 * committed one, one of its own has ended, or a token comes. Its thread begins with the
 * first of them. What it does not do, because the database is away or the process dies,
 * maintenance does within a second or so.
 */
final class Admitter {

	private static final int BATCH = LimitStore.BATCH;

	private static final Duration LAST_TURN = Duration.ofSeconds(1);

	private static final Logger logger = LoggerFactory.getLogger(Admitter.class);

	private final LimitStore store;

	private final Consumer<Collection<String>> admitted;

	private final ReentrantLock lock = new ReentrantLock();

	private final Condition changed = this.lock.newCondition();

	private Set<String> freed = new LinkedHashSet<>();

	private boolean arrived;

	/** When a token comes; {@code null}: nobody waits for one. */
	private @Nullable Long tokenAt;

	private @Nullable Thread thread;

	private boolean closed;

	/**
	 * Creates the admitter.
	 * @param admitted told of the queues that have new jobs to claim
	 */
	Admitter(LimitStore store, Consumer<Collection<String>> admitted) {
		this.store = store;
		this.admitted = admitted;
	}

	/** Jobs with limit keys were committed. */
	void jobsArrived() {
		add(List.of());
	}

	/** Jobs of these keys have ended, and that is committed. */
	void freed(Collection<String> keys) {
		if (!keys.isEmpty()) {
			add(keys);
		}
	}

	private void add(Collection<String> keys) {
		this.lock.lock();
		try {
			if (this.closed) {
				return;
			}
			this.arrived |= keys.isEmpty();
			this.freed.addAll(keys);
			this.changed.signal();
			if (this.thread == null) {
				this.thread = new Thread(this::run, "queue-admitter");
				this.thread.setDaemon(true);
				this.thread.start();
			}
		}
		finally {
			this.lock.unlock();
		}
	}

	/** Lets in whom it knows of, and ends. */
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
			for (@Nullable
			List<String> keys = take(); keys != null; keys = take()) {
				admit(keys);
			}
		}
		catch (InterruptedException ex) {
			logger.debug("The admitter was interrupted; maintenance lets jobs with limit keys in");
		}
	}

	/** Waits for something to do; {@code null}: the end. */
	private @Nullable List<String> take() throws InterruptedException {
		this.lock.lock();
		try {
			while (this.freed.isEmpty() && !this.arrived && !tokenHasCome() && !this.closed) {
				if (this.tokenAt != null) {
					this.changed.awaitNanos(this.tokenAt - System.nanoTime());
				}
				else {
					this.changed.await();
				}
			}
			if (this.freed.isEmpty() && !this.arrived && this.closed) {
				return null;
			}
			List<String> keys = List.copyOf(this.freed);
			this.freed = new LinkedHashSet<>();
			this.arrived = false;
			return keys;
		}
		finally {
			this.lock.unlock();
		}
	}

	private boolean tokenHasCome() {
		return this.tokenAt != null && this.tokenAt - System.nanoTime() <= 0;
	}

	private void admit(List<String> keys) {
		try {
			for (int from = 0; from < keys.size(); from += BATCH) {
				this.admitted.accept(this.store.admit(keys.subList(from, Math.min(keys.size(), from + BATCH))));
			}
			Admission admission;
			do { // also to know when the next token comes
				admission = this.store.admitDue();
				this.admitted.accept(admission.queues());
			}
			while (admission.unfinished());
			expectToken(admission.again());
		}
		catch (RuntimeException ex) {
			expectToken(null);
			logger.debug("Jobs with limit keys were not let in; maintenance does it", ex);
		}
	}

	private void expectToken(@Nullable Duration again) {
		this.lock.lock();
		try {
			this.tokenAt = (again != null) ? Long.valueOf(System.nanoTime() + again.toNanos()) : null;
		}
		finally {
			this.lock.unlock();
		}
	}

}

package io.pgqueue.wakeup;

import java.time.Duration;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

import io.pgqueue.store.JobStore;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends notifications from a thread and a transaction of its own. A transaction that
 * notifies takes a lock of the whole server when it commits, so no transaction of the
 * application ever does. The first notification goes out at once; those that come while
 * it is sent or shortly after go out together.
 */
final class Notifier {

	/** At most a hundred notifications a second, however many jobs are enqueued. */
	private static final Duration PAUSE = Duration.ofMillis(10);

	private static final Duration LAST_SEND = Duration.ofSeconds(1);

	private static final Logger logger = LoggerFactory.getLogger(Notifier.class);

	private final JobStore store;

	private final ReentrantLock lock = new ReentrantLock();

	private final Condition changed = this.lock.newCondition();

	private Set<String> waiting = new LinkedHashSet<>();

	private @Nullable Thread thread;

	private boolean closed;

	Notifier(JobStore store) {
		this.store = store;
	}

	void add(Collection<String> queues) {
		this.lock.lock();
		try {
			if (this.closed) {
				return;
			}
			this.waiting.addAll(queues);
			this.changed.signal();
			if (this.thread == null) {
				this.thread = new Thread(this::run, "queue-notifier");
				this.thread.setDaemon(true);
				this.thread.start();
			}
		}
		finally {
			this.lock.unlock();
		}
	}

	/** Sends what is waiting, and ends. */
	void close() {
		@Nullable Thread sender = end();
		try {
			if (sender != null) {
				sender.join(LAST_SEND.toMillis());
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
			Set<String> queues = take();
			while (!queues.isEmpty()) {
				send(queues);
				TimeUnit.NANOSECONDS.sleep(PAUSE.toNanos());
				queues = take();
			}
		}
		catch (InterruptedException ex) {
			logger.debug("The notifier was interrupted; workers of other processes will poll");
		}
	}

	/** Waits for queues; an empty set is the end. */
	private Set<String> take() throws InterruptedException {
		this.lock.lock();
		try {
			while (this.waiting.isEmpty() && !this.closed) {
				this.changed.await();
			}
			Set<String> queues = this.waiting;
			this.waiting = new LinkedHashSet<>();
			return queues;
		}
		finally {
			this.lock.unlock();
		}
	}

	private void send(Set<String> queues) {
		try {
			this.store.wakeUp(queues);
		}
		catch (RuntimeException ex) {
			logger.debug("Workers of other processes were not notified of {} and will poll", queues, ex);
		}
	}

}

package io.rowqueue.engine.wakeup;

import java.time.Duration;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

import io.rowqueue.engine.support.Mailbox;
import io.rowqueue.engine.support.Pace;
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

	private static final Logger logger = LoggerFactory.getLogger(Notifier.class);

	private final WakeUpStore store;

	/**
	 * Processes that are busy look themselves so often for what is deferred; to wake the
	 * idle ones more often would make them busy.
	 */
	private static final Duration DEFERRED_PAUSE = Duration.ofMillis(450);

	/** Whether the next notification reports jobs in the outbox. */
	private final AtomicBoolean outbox = new AtomicBoolean();

	/** Whether it reports something for maintenance. */
	private final AtomicBoolean deferred = new AtomicBoolean();

	/** When that may be reported again; used by the thread. */
	private final Pace deferring = Pace.dueNow(DEFERRED_PAUSE);

	private final Mailbox queues = new Mailbox("rowqueue-notifier", this::send);

	Notifier(WakeUpStore store) {
		this.store = store;
	}

	/** Sends what other processes need to know: the process itself admits jobs. */
	void add(Arrivals arrivals) {
		if (arrivals.outbox()) {
			this.outbox.set(true);
		}
		if (arrivals.deferred()) {
			this.deferred.set(true);
		}
		if (arrivals.outbox() || arrivals.deferred() || !arrivals.queues().isEmpty()) {
			this.queues.put(arrivals.queues());
		}
	}

	/** Sends what is waiting, and ends. */
	void close() {
		this.queues.close();
	}

	private @Nullable Duration send(Set<String> queues) throws InterruptedException {
		boolean now = this.deferred.get() && this.deferring.nextIfDue();
		if (now) {
			// before it is sent: what comes later is reported again
			this.deferred.set(false);
		}
		Arrivals arrivals = new Arrivals(queues, false, this.outbox.getAndSet(false), now);
		if (arrivals.isEmpty()) {
			return untilDeferred(); // the turn before has taken the others
		}
		try {
			this.store.wakeUp(arrivals);
		}
		catch (RuntimeException ex) {
			logger.debug("Workers of other processes were not notified of {} and will poll", arrivals, ex);
		}
		TimeUnit.NANOSECONDS.sleep(PAUSE.toNanos());
		return untilDeferred();
	}

	private @Nullable Duration untilDeferred() {
		return this.deferred.get() ? this.deferring.remaining() : null;
	}

}

package io.rowqueue.engine.wakeup;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;

import io.rowqueue.engine.database.QueueDatabase;
import io.rowqueue.engine.limit.AdmissionStore;
import io.rowqueue.engine.limit.LimitAdmission;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Notifies workers that queues have new jobs: those of this process at once, those of
 * other processes by a notification of the database. A wake-up only saves the wait for
 * the next poll; none of them has to arrive.
 */
public final class WakeUps implements AutoCloseable {

	private static final Logger logger = LoggerFactory.getLogger(WakeUps.class);

	private final List<Consumer<Arrivals>> listeners = new CopyOnWriteArrayList<>();

	private final List<Runnable> maintenance = new CopyOnWriteArrayList<>();

	private final LimitAdmission admission;

	private final @Nullable Notifier notifier;

	/**
	 * Creates wake-ups that notify other processes.
	 * @param store notifies them
	 * @param admission admits jobs with limit keys
	 */
	public WakeUps(WakeUpStore store, AdmissionStore admission) {
		this(admission, new Notifier(store));
	}

	private WakeUps(AdmissionStore admission, @Nullable Notifier notifier) {
		this.notifier = notifier;
		this.admission = new LimitAdmission(admission, (queues) -> jobsArrived(Arrivals.of(queues)));
	}

	/**
	 * Creates wake-ups of this process alone: the others poll.
	 * @param database has the jobs with limit keys that are admitted
	 */
	public static WakeUps ofThisProcess(QueueDatabase database) {
		return new WakeUps(new AdmissionStore(database), null);
	}

	/** Jobs were committed. Returns at once and never fails. */
	public void jobsArrived(Arrivals arrivals) {
		if (arrivals.isEmpty()) {
			return;
		}
		if (arrivals.limited()) {
			this.admission.jobsArrived();
		}
		if (arrivals.deferred()) {
			maintain();
		}
		this.listeners.forEach((listener) -> notify(listener, arrivals));
		if (this.notifier != null) {
			this.notifier.add(arrivals);
		}
	}

	/**
	 * There is something for maintenance to look at; other processes know of it. Returns
	 * at once and never fails.
	 */
	public void maintain() {
		this.maintenance.forEach(Runnable::run);
	}

	/** The caller has committed, and the other listeners must learn of it. */
	private static void notify(Consumer<Arrivals> listener, Arrivals arrivals) {
		try {
			listener.accept(arrivals);
		}
		catch (Throwable ex) {
			logger.error("A worker was not notified of {} and will poll", arrivals, ex);
		}
	}

	/**
	 * What admits jobs with limit keys.
	 * @return the same at each call
	 */
	public LimitAdmission admission() {
		return this.admission;
	}

	/**
	 * Registers a worker of this process.
	 * @param listener called with what has arrived; must return at once. Jobs with limit
	 * keys are admitted meanwhile, and it is called again with their queues
	 * @return ends the registration
	 */
	public Registration listen(Consumer<Arrivals> listener) {
		this.listeners.add(listener);
		return () -> this.listeners.remove(listener);
	}

	/**
	 * Registers the maintenance of this process.
	 * @param look called when it must look again; must return at once and not fail
	 * @return ends the registration
	 */
	public Registration maintain(Runnable look) {
		this.maintenance.add(look);
		return () -> this.maintenance.remove(look);
	}

	/** Sends no more. */
	@Override
	public void close() {
		this.admission.close(); // it notifies
		if (this.notifier != null) {
			this.notifier.close();
		}
	}

	/** What ends when it is closed. */
	@FunctionalInterface
	public interface Registration extends AutoCloseable {

		@Override
		void close();

	}

}

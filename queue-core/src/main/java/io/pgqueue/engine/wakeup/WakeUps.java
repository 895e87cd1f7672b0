package io.pgqueue.engine.wakeup;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;

import io.pgqueue.engine.limit.LimitAdmission;
import io.pgqueue.engine.limit.AdmissionStore;
import org.jspecify.annotations.Nullable;

/**
 * Notifies workers that queues have new jobs: those of this process at once, those of
 * other processes by a notification of the database. A wake-up only saves the wait for
 * the next poll; none of them has to arrive.
 */
public final class WakeUps implements AutoCloseable {

	private final List<Consumer<Arrivals>> listeners = new CopyOnWriteArrayList<>();

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
	 * @param admission admits jobs with limit keys
	 */
	public static WakeUps ofThisProcess(AdmissionStore admission) {
		return new WakeUps(admission, null);
	}

	/** Jobs were committed. Returns at once and never fails. */
	public void jobsArrived(Arrivals arrivals) {
		if (arrivals.isEmpty()) {
			return;
		}
		if (arrivals.limited()) {
			this.admission.jobsArrived();
		}
		this.listeners.forEach((listener) -> listener.accept(arrivals));
		if (this.notifier != null) {
			this.notifier.add(arrivals);
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

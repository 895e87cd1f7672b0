package io.pgqueue.wakeup;

import java.util.Collection;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;

import io.pgqueue.store.JobStore;
import org.jspecify.annotations.Nullable;

/**
 * Tells workers that queues have new jobs: those of this process at once, those of other
 * processes by a notification of the database. A wake-up only saves the wait for the next
 * poll; none of them has to arrive.
 */
public final class WakeUps implements AutoCloseable {

	private final List<Consumer<Collection<String>>> listeners = new CopyOnWriteArrayList<>();

	private final JobEndings endings = new JobEndings();

	private final @Nullable Notifier notifier;

	private volatile Hearing hearing = Hearing.OFF;

	/**
	 * Creates wake-ups that notify other processes.
	 * @param store notifies them
	 */
	public WakeUps(JobStore store) {
		this(new Notifier(store));
	}

	private WakeUps(@Nullable Notifier notifier) {
		this.notifier = notifier;
	}

	/** Creates wake-ups of this process alone: the others poll. */
	public static WakeUps ofThisProcess() {
		return new WakeUps((Notifier) null);
	}

	/** Whether the worker of this process hears the others. */
	public Hearing hearing() {
		return this.hearing;
	}

	/** Tells whether it does. */
	public void hearing(Hearing hearing) {
		this.hearing = hearing;
	}

	/**
	 * Jobs that can be claimed were committed. Returns at once and never fails.
	 * @param queues their queues
	 */
	public void jobsArrived(Collection<String> queues) {
		if (queues.isEmpty()) {
			return;
		}
		this.listeners.forEach((listener) -> listener.accept(queues));
		if (this.notifier != null) {
			this.notifier.add(queues);
		}
	}

	/**
	 * The other way round: tells those who wait for jobs that this process runs.
	 * @return the same at each call
	 */
	public JobEndings endings() {
		return this.endings;
	}

	/**
	 * Registers a worker of this process.
	 * @param listener called with the queues that have new jobs; must return at once
	 * @return ends the registration
	 */
	public Registration listen(Consumer<Collection<String>> listener) {
		this.listeners.add(listener);
		return () -> this.listeners.remove(listener);
	}

	/** Sends no more. */
	@Override
	public void close() {
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

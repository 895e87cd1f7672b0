package io.pgqueue.wakeup;

import io.pgqueue.store.LimitStore;
import io.pgqueue.store.WakeUpStore;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;

import org.jspecify.annotations.Nullable;

/**
 * Tells workers that queues have new jobs: those of this process at once, those of other
 * processes by a notification of the database. A wake-up only saves the wait for the next
 * poll; none of them has to arrive.
 */
public final class WakeUps implements AutoCloseable {

	/**
	 * Stands among queues for jobs with limit keys, which have to be let in before they
	 * can be claimed: the name of a queue is never empty.
	 */
	public static final String LIMITED = "";

	private final List<Consumer<Collection<String>>> listeners = new CopyOnWriteArrayList<>();

	private final JobEndings endings = new JobEndings();

	private final @Nullable Notifier notifier;

	private final @Nullable Admitter admitter;

	private volatile Hearing hearing = Hearing.OFF;

	/**
	 * Creates wake-ups that notify other processes.
	 * @param store notifies them
	 * @param limits lets jobs with limit keys in
	 */
	public WakeUps(WakeUpStore store, LimitStore limits) {
		this(limits, new Notifier(store));
	}

	private WakeUps(@Nullable LimitStore limits, @Nullable Notifier notifier) {
		this.notifier = notifier;
		this.admitter = (limits != null) ? new Admitter(limits, this::wake) : null;
	}

	/** Creates wake-ups of this process alone: the others poll. */
	public static WakeUps ofThisProcess() {
		return new WakeUps(null, (Notifier) null);
	}

	/**
	 * Creates wake-ups of this process alone: the others poll.
	 * @param limits lets jobs with limit keys in
	 */
	public static WakeUps ofThisProcess(LimitStore limits) {
		return new WakeUps(limits, null);
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
	 * @param queues their queues; {@link #LIMITED} for those with limit keys
	 */
	public void jobsArrived(Collection<String> queues) {
		if (!queues.contains(LIMITED)) {
			wake(queues);
			return;
		}
		if (this.admitter != null) {
			this.admitter.jobsArrived();
		}
		wake(queues.stream().filter((queue) -> !queue.equals(LIMITED)).toList());
	}

	/**
	 * Jobs with limit keys have ended, so that others of their keys may be let in.
	 * Returns at once and never fails.
	 * @param keys the keys
	 */
	public void keysFreed(Collection<String> keys) {
		if (this.admitter != null) {
			this.admitter.freed(keys);
		}
	}

	private void wake(Collection<String> queues) {
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
		if (this.admitter != null) {
			this.admitter.close(); // it notifies
		}
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

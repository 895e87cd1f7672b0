package io.pgqueue.engine.wakeup;

import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.Set;

/**
 * What a wake-up reports: jobs were committed that can be claimed, or that the limit of
 * their key has to admit first.
 *
 * @param queues the queues of jobs that can be claimed
 * @param limited whether there are jobs with limit keys to admit
 */
public record Arrivals(Set<String> queues, boolean limited) {

	/**
	 * Stands for jobs that wait to be published to a broker; no queue can have a name
	 * with a control character.
	 */
	public static final String OUTBOX = "\u0001outbox";

	/** Jobs that can be claimed. */
	public static Arrivals of(Collection<String> queues) {
		return new Arrivals(new LinkedHashSet<>(queues), false);
	}

	/** A job that can be claimed. */
	public static Arrivals of(String queue) {
		return of(queue, false);
	}

	/**
	 * A job.
	 * @param queue its queue
	 * @param limited whether its limit key has to admit it first
	 */
	public static Arrivals of(String queue, boolean limited) {
		return new Arrivals(limited ? Set.of() : Set.of(queue), limited);
	}

	/** Collects arrivals. Used by one thread. */
	public static final class Builder {

		private final Set<String> queues = new LinkedHashSet<>();

		private boolean limited;

		/** Adds a job that can be claimed. */
		public void add(String queue) {
			this.queues.add(queue);
		}

		/**
		 * Adds a job.
		 * @param queue its queue
		 * @param limited whether its limit key has to admit it first
		 */
		public void add(String queue, boolean limited) {
			if (limited) {
				this.limited = true;
			}
			else {
				add(queue);
			}
		}

		/** Adds others. */
		public void add(Arrivals arrivals) {
			this.queues.addAll(arrivals.queues());
			this.limited |= arrivals.limited();
		}

		/** Returns what was added so far. */
		public Arrivals build() {
			return new Arrivals(new LinkedHashSet<>(this.queues), this.limited);
		}

	}

}

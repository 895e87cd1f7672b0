package io.rowqueue.engine.wakeup;

import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.Set;

/**
 * What a wake-up reports: jobs were committed that can be claimed, that the limit of
 * their key has to admit first, or that a broker carries.
 *
 * @param queues the queues of jobs that can be claimed
 * @param limited whether there are jobs with limit keys to admit
 * @param outbox whether there are jobs in the outbox to publish
 * @param deferred whether there is something that maintenance must look at, now or at a
 * time that it does not know of yet
 */
public record Arrivals(Set<String> queues, boolean limited, boolean outbox, boolean deferred) {

	/** Something that maintenance must look at, and nothing else. */
	public static final Arrivals DEFERRED = new Arrivals(Set.of(), false, false, true);

	/** Jobs that can be claimed. */
	public static Arrivals of(Collection<String> queues) {
		return new Arrivals(new LinkedHashSet<>(queues), false, false, false);
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
		return new Arrivals(limited ? Set.of() : Set.of(queue), limited, false, false);
	}

	/** Returns whether there are none. */
	public boolean isEmpty() {
		return this.queues.isEmpty() && !this.limited && !this.outbox && !this.deferred;
	}

	/** Collects arrivals. Used by one thread. */
	public static final class Builder {

		private final Set<String> queues = new LinkedHashSet<>();

		private boolean limited;

		private boolean outbox;

		private boolean deferred;

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

		/** Adds a job that is to be published from the outbox. */
		public void addToOutbox() {
			this.outbox = true;
		}

		/** Adds something that maintenance must look at. */
		public void addDeferred() {
			this.deferred = true;
		}

		/** Adds others. */
		public void add(Arrivals arrivals) {
			this.queues.addAll(arrivals.queues());
			this.limited |= arrivals.limited();
			this.outbox |= arrivals.outbox();
			this.deferred |= arrivals.deferred();
		}

		/** Returns what was added so far. */
		public Arrivals build() {
			return new Arrivals(new LinkedHashSet<>(this.queues), this.limited, this.outbox, this.deferred);
		}

	}

}

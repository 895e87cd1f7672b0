package io.rowqueue.engine.enqueue;

import io.rowqueue.EnqueueResult.Outcome;
import io.rowqueue.EnqueueResult;
import io.rowqueue.engine.job.EnqueueStore.StoredJob;
import io.rowqueue.engine.job.EnqueueStore;
import io.rowqueue.engine.job.NewJob;
import io.rowqueue.engine.lease.DirectStart;
import io.rowqueue.engine.lease.ReservedSlot;
import io.rowqueue.engine.wakeup.Arrivals;
import io.rowqueue.engine.wakeup.WakeUps;
import org.jspecify.annotations.Nullable;

/**
 * Enqueues single jobs for which this process has an idle slot. They are stored with
 * their lease, and start right after the commit.
 */
final class DirectEnqueue {

	private final EnqueueStore store;

	private final CallerTransaction transaction;

	private final WakeUps wakeUps;

	private final EnqueueHooks hooks;

	DirectEnqueue(EnqueueStore store, CallerTransaction transaction, WakeUps wakeUps, EnqueueHooks hooks) {
		this.store = store;
		this.transaction = transaction;
		this.wakeUps = wakeUps;
		this.hooks = hooks;
	}

	/**
	 * Enqueues the job if a slot is idle.
	 * @return {@code null} if the job must be enqueued as usual
	 */
	@Nullable EnqueueResult enqueue(NewJob job) {
		DirectStart directStart = this.hooks.directStart();
		if (directStart == DirectStart.NONE || !EnqueueStore.canBeLeased(job)) {
			return null;
		}
		if (!this.transaction.join()) {
			ReservedSlot slot = reserve(directStart, job);
			return (slot != null) ? commit(job, slot) : null;
		}
		PendingJobs pending = this.transaction.pending(this.wakeUps);
		ReservedSlot slot = (pending != null) ? reserve(directStart, job) : null;
		return (pending != null && slot != null) ? join(job, slot, pending) : null;
	}

	private static @Nullable ReservedSlot reserve(DirectStart directStart, NewJob job) {
		return directStart.reserve(job.request().queue(), job.request().type());
	}

	private EnqueueResult join(NewJob job, ReservedSlot slot, PendingJobs pending) {
		StoredJob stored = store(job, slot);
		if (stored.leased() != null) {
			pending.add(slot, stored.leased(), this.store);
		}
		else {
			slot.release();
			pending.add(arrivals(job));
		}
		this.hooks.enqueued(job, result(stored));
		return result(stored);
	}

	private EnqueueResult commit(NewJob job, ReservedSlot slot) {
		StoredJob stored;
		try {
			stored = this.transaction.createByStatement(() -> {
				StoredJob added = store(job, slot);
				this.hooks.enqueued(job, result(added));
				return added;
			});
			slot.start();
		}
		finally {
			slot.release();
		}
		if (stored.leased() == null) {
			this.wakeUps.jobsArrived(arrivals(job));
		}
		return result(stored);
	}

	private StoredJob store(NewJob job, ReservedSlot slot) {
		try {
			StoredJob stored = this.store.enqueueLeased(job, slot.workerId());
			if (stored.leased() != null) {
				slot.leased(stored.leased());
			}
			return stored;
		}
		catch (Throwable ex) {
			slot.release(); // the caller's transaction may go on for long
			throw ex;
		}
	}

	private static EnqueueResult result(StoredJob stored) {
		return new EnqueueResult(stored.id(), Outcome.CREATED);
	}

	private static Arrivals arrivals(NewJob job) {
		return Arrivals.of(job.request().queue());
	}

}

package io.pgqueue.enqueue;

import io.pgqueue.wakeup.WakeUps;
import org.springframework.transaction.support.ResourceHolderSynchronization;

/**
 * Wakes the workers after the commit and never before: a worker that looks too early
 * finds nothing, and a rollback must not use the wake-up up.
 */
final class WakeUpAfterCommit extends ResourceHolderSynchronization<QueuesToWake, WakeUps> {

	private final QueuesToWake queues;

	private final WakeUps wakeUps;

	private final CallerTransaction transaction;

	private boolean woken;

	WakeUpAfterCommit(QueuesToWake queues, WakeUps wakeUps, CallerTransaction transaction) {
		super(queues, wakeUps);
		this.queues = queues;
		this.wakeUps = wakeUps;
		this.transaction = transaction;
	}

	@Override
	protected boolean shouldReleaseBeforeCompletion() {
		return false;
	}

	@Override
	protected void processResourceAfterCommit(QueuesToWake queues) {
		this.woken = true;
		this.wakeUps.jobsArrived(queues.queues());
	}

	/**
	 * Jobs that another callback enqueued after the commit are here for the first time:
	 * the transaction manager commits them no more.
	 */
	@Override
	public void afterCompletion(int status) {
		super.afterCompletion(status);
		if (status == STATUS_COMMITTED && !this.woken) {
			this.transaction.commitLate();
			this.wakeUps.jobsArrived(this.queues.queues());
		}
	}

}

package io.pgqueue.engine.enqueue;

import io.pgqueue.engine.wakeup.WakeUps;
import org.springframework.transaction.support.ResourceHolderSynchronization;

/**
 * Wakes the workers after the commit. If they were woken before it, they would find
 * nothing, and a rollback would waste the wake-up.
 * <p>
 * A job that is enqueued by a synchronization during the completion or after the commit
 * is too late for this, and is recognized by that: not all methods are called for it.
 * Others may be enqueued after it, and after the commit, so that all of them wait for the
 * end of the completion.
 */
final class WakeUpAfterCommit extends ResourceHolderSynchronization<PendingArrivals, WakeUps> {

	private final PendingArrivals arrivals;

	private final WakeUps wakeUps;

	private final Runnable commitAgain;

	private boolean beforeCompletion;

	private boolean committed;

	WakeUpAfterCommit(PendingArrivals arrivals, WakeUps wakeUps, Runnable commitAgain) {
		super(arrivals, wakeUps);
		this.arrivals = arrivals;
		this.wakeUps = wakeUps;
		this.commitAgain = commitAgain;
	}

	@Override
	protected boolean shouldReleaseBeforeCompletion() {
		return false;
	}

	@Override
	public void beforeCompletion() {
		super.beforeCompletion();
		this.beforeCompletion = true;
	}

	@Override
	protected void processResourceAfterCommit(PendingArrivals arrivals) {
		if (!this.beforeCompletion) {
			return;
		}
		this.committed = true;
		arrivals.start();
		this.wakeUps.jobsArrived(arrivals.all());
	}

	@Override
	public void afterCompletion(int status) {
		super.afterCompletion(status);
		if (status != STATUS_COMMITTED) {
			this.arrivals.release();
		}
		if (status == STATUS_COMMITTED && !this.committed) {
			this.commitAgain.run();
			this.arrivals.start();
			this.wakeUps.jobsArrived(this.arrivals.all());
		}
	}

}

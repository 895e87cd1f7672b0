package io.pgqueue.enqueue;

import io.pgqueue.wakeup.WakeUps;
import org.springframework.transaction.support.ResourceHolderSynchronization;

/**
 * Wakes the workers after the commit and never before: a worker that looks too early
 * finds nothing, and a rollback must not use the wake-up up.
 * <p>
 * A job that is enqueued by somebody who was just told of the commit comes too late for
 * it, and is told apart by that: nobody says "after commit" to it any more.
 */
final class WakeUpAfterCommit extends ResourceHolderSynchronization<QueuesToWake, WakeUps> {

	private final QueuesToWake queues;

	private final WakeUps wakeUps;

	private final Runnable commitAgain;

	private boolean committed;

	WakeUpAfterCommit(QueuesToWake queues, WakeUps wakeUps, Runnable commitAgain) {
		super(queues, wakeUps);
		this.queues = queues;
		this.wakeUps = wakeUps;
		this.commitAgain = commitAgain;
	}

	@Override
	protected boolean shouldReleaseBeforeCompletion() {
		return false;
	}

	@Override
	protected void processResourceAfterCommit(QueuesToWake queues) {
		this.committed = true;
		this.wakeUps.jobsArrived(queues.queues());
	}

	@Override
	public void afterCompletion(int status) {
		super.afterCompletion(status);
		if (status == STATUS_COMMITTED && !this.committed) {
			this.commitAgain.run();
			this.wakeUps.jobsArrived(this.queues.queues());
		}
	}

}

package io.pgqueue.enqueue;

import io.pgqueue.wakeup.WakeUps;
import org.springframework.transaction.support.ResourceHolderSynchronization;

/**
 * Wakes the workers after the commit and never before: a worker that looks too early
 * finds nothing, and a rollback must not use the wake-up up.
 */
final class WakeUpAfterCommit extends ResourceHolderSynchronization<QueuesToWake, WakeUps> {

	private final WakeUps wakeUps;

	WakeUpAfterCommit(QueuesToWake queues, WakeUps wakeUps) {
		super(queues, wakeUps);
		this.wakeUps = wakeUps;
	}

	@Override
	protected boolean shouldReleaseBeforeCompletion() {
		return false;
	}

	@Override
	protected void processResourceAfterCommit(QueuesToWake queues) {
		this.wakeUps.jobsArrived(queues.queues());
	}

}

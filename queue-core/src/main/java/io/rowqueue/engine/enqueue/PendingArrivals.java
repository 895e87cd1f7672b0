package io.rowqueue.engine.enqueue;

import io.rowqueue.engine.database.TransactionEnd.Participant;
import io.rowqueue.engine.wakeup.Arrivals;
import io.rowqueue.engine.wakeup.WakeUps;

/**
 * The jobs that become visible with the commit of this thread's transaction. If the
 * workers were woken before it, they would find nothing, and a rollback would waste the
 * wake-up.
 */
final class PendingArrivals implements Participant {

	private final WakeUps wakeUps;

	private final Arrivals.Builder arrivals = new Arrivals.Builder();

	PendingArrivals(WakeUps wakeUps) {
		this.wakeUps = wakeUps;
	}

	void add(Arrivals arrivals) {
		this.arrivals.add(arrivals);
	}

	@Override
	public void committed() {
		this.wakeUps.jobsArrived(this.arrivals.build());
	}

}

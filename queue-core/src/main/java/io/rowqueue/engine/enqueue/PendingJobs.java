package io.rowqueue.engine.enqueue;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

import io.rowqueue.engine.database.TransactionEnd.Participant;
import io.rowqueue.engine.job.EnqueueStore;
import io.rowqueue.engine.lease.ClaimedJob;
import io.rowqueue.engine.lease.ReservedSlot;
import io.rowqueue.engine.wakeup.Arrivals;
import io.rowqueue.engine.wakeup.WakeUps;

/**
 * The jobs that become visible with the commit of this thread's transaction. Those that
 * are stored with a lease start with it; for the others, workers are woken, which would
 * find nothing before. No job starts with the commit if the transaction goes on to change
 * jobs: it may cancel one of them, or pause its type.
 */
final class PendingJobs implements Participant {

	private final WakeUps wakeUps;

	private final Arrivals.Builder arrivals = new Arrivals.Builder();

	private List<Start> starts = new ArrayList<>(1);

	PendingJobs(WakeUps wakeUps) {
		this.wakeUps = wakeUps;
	}

	void add(Arrivals arrivals) {
		this.arrivals.add(arrivals);
	}

	/**
	 * Adds a job that is stored with a lease.
	 * @param store has stored it
	 */
	void add(ReservedSlot slot, ClaimedJob job, EnqueueStore store) {
		this.starts.add(new Start(slot, job, store));
	}

	@Override
	public void committed() {
		end(ReservedSlot::start);
		this.wakeUps.jobsArrived(this.arrivals.build());
	}

	/**
	 * If they were committed all the same, the worker finds leases that it does not know.
	 */
	@Override
	public void notCommitted() {
		end(ReservedSlot::release);
	}

	@Override
	public void beforeChange() {
		for (Start each : this.starts) {
			each.store().queueLeased(each.job(), each.slot().workerId());
			this.arrivals.add(each.job().queue());
		}
		end(ReservedSlot::release);
	}

	private void end(Consumer<ReservedSlot> how) {
		List<Start> ended = this.starts;
		this.starts = new ArrayList<>(1);
		ended.forEach((each) -> how.accept(each.slot()));
	}

	private record Start(ReservedSlot slot, ClaimedJob job, EnqueueStore store) {
	}

}

package io.rowqueue.engine.enqueue;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

import io.rowqueue.engine.database.TransactionEnd.Participant;
import io.rowqueue.engine.job.EnqueueStore;
import io.rowqueue.engine.lease.ClaimedJob;
import io.rowqueue.engine.lease.ReservedSlot;
import io.rowqueue.engine.wakeup.Arrivals;

/**
 * The jobs of this thread's transaction that are stored with a lease and start with its
 * commit. None does if the transaction goes on to change jobs: it may cancel one of them,
 * or pause its type.
 */
final class PendingStarts implements Participant {

	private final EnqueueStore store;

	private final Consumer<Arrivals> queued;

	private List<Start> starts = new ArrayList<>(1);

	/**
	 * Creates it without jobs.
	 * @param store has stored the jobs
	 * @param queued takes those that are queued after all
	 */
	PendingStarts(EnqueueStore store, Consumer<Arrivals> queued) {
		this.store = store;
		this.queued = queued;
	}

	void add(ReservedSlot slot, ClaimedJob job) {
		this.starts.add(new Start(slot, job));
	}

	@Override
	public void committed() {
		end(ReservedSlot::start);
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
		if (!this.starts.isEmpty()) {
			this.starts.forEach((each) -> this.store.queueLeased(each.job(), each.slot().workerId()));
			this.queued.accept(Arrivals.of(this.starts.stream().map((each) -> each.job().queue()).toList()));
			end(ReservedSlot::release);
		}
	}

	private void end(Consumer<ReservedSlot> how) {
		List<Start> ended = this.starts;
		this.starts = new ArrayList<>(1);
		ended.forEach((each) -> how.accept(each.slot()));
	}

	private record Start(ReservedSlot slot, ClaimedJob job) {
	}

}

package io.pgqueue.engine.enqueue;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.Consumer;

import io.pgqueue.engine.lease.ReservedSlot;
import io.pgqueue.engine.wakeup.Arrivals;
import org.springframework.transaction.support.ResourceHolderSupport;

/**
 * The jobs that become visible with the commit of this thread's transaction, and the
 * slots that are reserved for some of them.
 */
final class PendingArrivals extends ResourceHolderSupport {

	private final Arrivals.Builder arrivals = new Arrivals.Builder();

	private final Deque<ReservedSlot> slots = new ArrayDeque<>(1);

	private boolean committed;

	void add(ReservedSlot slot) {
		this.slots.add(slot);
	}

	/** The jobs of the reserved slots start. */
	void start() {
		this.committed = true;
		end(ReservedSlot::start);
	}

	/**
	 * The jobs of the reserved slots were not committed, as far as this process knows.
	 */
	void release() {
		end(ReservedSlot::release);
	}

	private void end(Consumer<ReservedSlot> end) {
		for (ReservedSlot slot = this.slots.poll(); slot != null; slot = this.slots.poll()) {
			end.accept(slot);
		}
	}

	/** Whether the transaction was committed: nothing starts any more. */
	boolean isCommitted() {
		return this.committed;
	}

	void add(Arrivals arrivals) {
		this.arrivals.add(arrivals);
	}

	Arrivals all() {
		return this.arrivals.build();
	}

}

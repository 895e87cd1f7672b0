package io.pgqueue.engine.enqueue;

import io.pgqueue.engine.wakeup.Arrivals;
import org.springframework.transaction.support.ResourceHolderSupport;

/** The jobs that become visible with the commit of this thread's transaction. */
final class PendingArrivals extends ResourceHolderSupport {

	private final Arrivals.Builder arrivals = new Arrivals.Builder();

	void add(Arrivals arrivals) {
		this.arrivals.add(arrivals);
	}

	Arrivals all() {
		return this.arrivals.build();
	}

}

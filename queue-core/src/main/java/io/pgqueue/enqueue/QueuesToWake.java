package io.pgqueue.enqueue;

import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.Set;

import org.springframework.transaction.support.ResourceHolderSupport;

/** The queues that got jobs in the transaction of this thread. */
final class QueuesToWake extends ResourceHolderSupport {

	private final Set<String> queues = new LinkedHashSet<>();

	void addAll(Collection<String> queues) {
		this.queues.addAll(queues);
	}

	Set<String> queues() {
		return this.queues;
	}

}

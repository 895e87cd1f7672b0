package io.pgqueue.engine.transport;

import io.pgqueue.transport.JobConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The consumer of a thread. Others may close it only when the thread has ended: a thread
 * that is still busy when it is to end, as with a rebalance or a statement, closes it
 * itself.
 */
final class ThreadConsumer {

	private volatile @Nullable JobConsumer consumer;

	private boolean ended;

	private boolean abandoned;

	/** The consumer; {@code null} if there is none. */
	@Nullable JobConsumer get() {
		return this.consumer;
	}

	void set(@Nullable JobConsumer opened) {
		this.consumer = opened;
	}

	/** Ends a poll that waits. */
	void wakeUp() {
		JobConsumer open = this.consumer;
		if (open != null) {
			open.wakeUp();
		}
	}

	/** Called by the thread after its last turn. */
	void ended() {
		if (isAbandoned()) {
			leave();
		}
	}

	private synchronized boolean isAbandoned() {
		this.ended = true;
		return this.abandoned;
	}

	/**
	 * Closes the consumer, or has the thread close it.
	 * @param threadHasEnded whether the thread does not use it any more
	 */
	void close(boolean threadHasEnded) {
		if (threadHasEnded || !abandon()) {
			leave();
		}
	}

	private synchronized boolean abandon() {
		this.abandoned = !this.ended;
		return this.abandoned;
	}

	/** Closes the consumer, so that the next one is another. Called by the thread. */
	void leave() {
		JobConsumer open = this.consumer;
		this.consumer = null;
		if (open != null) {
			open.close();
		}
	}

}

package io.rowqueue.engine.transport;

import java.time.Duration;
import java.util.function.Supplier;

import io.rowqueue.engine.support.Loop;
import io.rowqueue.transport.JobConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The consumer of a thread. Others may close it only when the thread has ended: a thread
 * that is still busy when it is to end, as with a rebalance or a statement, closes it
 * itself.
 */
final class ThreadConsumer {

	private final Supplier<@Nullable JobConsumer> consumers;

	private volatile @Nullable JobConsumer consumer;

	private boolean ended;

	private boolean abandoned;

	ThreadConsumer(Supplier<@Nullable JobConsumer> consumers) {
		this.consumers = consumers;
	}

	/**
	 * Returns the consumer, created if there is none. Called by the thread.
	 * @return {@code null} if there is none to create
	 */
	@Nullable JobConsumer open() {
		JobConsumer open = this.consumer;
		if (open == null) {
			open = this.consumers.get();
			this.consumer = open;
		}
		return open;
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
	 * Closes the consumer when the thread has ended, or has the thread close it if the
	 * wait for that takes too long or is interrupted.
	 * @param thread the thread, which was asked to end
	 */
	void closeAfter(Loop thread, Duration timeout) throws InterruptedException {
		boolean ended = false;
		try {
			ended = thread.join(timeout);
		}
		finally {
			if (ended || !abandon()) {
				leave();
			}
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

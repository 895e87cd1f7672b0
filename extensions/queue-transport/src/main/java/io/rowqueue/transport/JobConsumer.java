package io.rowqueue.transport;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.function.Consumer;

/**
 * Receives the jobs of one type. One thread polls; any thread acknowledges, releases and
 * renews.
 */
public interface JobConsumer extends AutoCloseable {

	/**
	 * Waits for jobs. Also while the process has no room, the polling thread calls this
	 * method with {@code max} 0, so that the broker sees a live consumer and
	 * acknowledgements are sent.
	 * @param max how many jobs the process has room for; the consumer returns about as
	 * many, at most
	 * @param timeout how long to wait if there is none
	 * @return the deliveries, in the order of the broker; empty after the timeout or
	 * {@link #wakeUp()}
	 * @throws TransportException if the broker cannot be reached or refuses the consumer;
	 * the caller polls again after a pause
	 * @throws InterruptedException if the thread is interrupted
	 */
	List<Delivery> poll(int max, Duration timeout) throws InterruptedException;

	/** Ends a {@link #poll} that waits. */
	void wakeUp();

	/**
	 * The jobs have ended or are stored in the database: the broker must not deliver them
	 * again. The broker is notified with the next poll, at the latest.
	 * @param deliveries what {@link #poll} returned, each at most once
	 */
	void acknowledge(Collection<Delivery> deliveries);

	/**
	 * This process has not started the jobs and will not: the broker may deliver them
	 * again at once, to this process or another one.
	 * @param deliveries what {@link #poll} returned, each at most once
	 */
	void release(Collection<Delivery> deliveries);

	/**
	 * The jobs have not ended and cannot be written to the database at the moment: the
	 * broker should not deliver them to others yet.
	 * @param deliveries what {@link #poll} returned
	 */
	void renew(Collection<Delivery> deliveries);

	/**
	 * Whether another consumer may have received the message meanwhile, so that this
	 * process must not start the job.
	 * @param delivery what {@link #poll} returned
	 * @return {@code false} as long as the delivery is certainly this consumer's
	 */
	boolean isRevoked(Delivery delivery);

	/**
	 * Registers the listener of acknowledgements that the broker refused or may not have
	 * received: these jobs may be delivered again, as first deliveries even.
	 * @param listener called by any thread; must not block
	 */
	void onAcknowledgeFailure(Consumer<Collection<Delivery>> listener);

	/** Sends what was acknowledged, and leaves. What was not is delivered again. */
	@Override
	void close();

}

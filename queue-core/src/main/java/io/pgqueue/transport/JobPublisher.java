package io.pgqueue.transport;

import java.util.List;

/** Publishes jobs to a broker. Instances are safe for use by several threads. */
public interface JobPublisher extends AutoCloseable {

	/**
	 * Publishes the jobs and returns when the broker has stored all of them.
	 * @param jobs the jobs, at least one
	 * @throws TransportException if the broker may lack some of them; it may have stored
	 * others
	 * @throws InterruptedException if the thread is interrupted; the broker may have
	 * stored any of them
	 */
	void publish(List<JobMessage> jobs) throws InterruptedException;

	@Override
	void close();

}

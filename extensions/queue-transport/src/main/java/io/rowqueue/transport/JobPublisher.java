package io.rowqueue.transport;

import java.util.List;

/** Publishes jobs to a broker. Instances are safe for use by several threads. */
public interface JobPublisher extends AutoCloseable {

	/**
	 * Publishes the jobs and returns when the broker has stored them, except those that
	 * it refuses and would refuse each time, as a record that is too large for it: these
	 * run from the database.
	 * @param jobs the jobs, at least one
	 * @return the jobs that the broker refuses
	 * @throws TransportException if the broker may lack some of them; it may have stored
	 * others
	 * @throws InterruptedException if the thread is interrupted; the broker may have
	 * stored any of them
	 */
	List<JobMessage> publish(List<JobMessage> jobs) throws InterruptedException;

	@Override
	void close();

}

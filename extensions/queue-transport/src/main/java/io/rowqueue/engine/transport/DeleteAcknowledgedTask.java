package io.rowqueue.engine.transport;

import java.time.Duration;

import io.rowqueue.engine.maintenance.PeriodicTask;
import io.rowqueue.engine.support.ErrorText;
import io.rowqueue.transport.JobTransport;
import io.rowqueue.transport.TransportException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Has the broker delete the jobs that all consumers have acknowledged. */
public final class DeleteAcknowledgedTask extends PeriodicTask {

	private static final Duration INTERVAL = Duration.ofMinutes(1);

	private static final Logger logger = LoggerFactory.getLogger(DeleteAcknowledgedTask.class);

	private final JobTransport transport;

	/**
	 * Creates the task.
	 * @param transport the broker
	 */
	public DeleteAcknowledgedTask(JobTransport transport) {
		super("transport", INTERVAL);
		this.transport = transport;
	}

	/** It must not delay the other tasks, since the broker may not answer. */
	@Override
	public boolean isUrgent() {
		return true;
	}

	@Override
	public void run() {
		try {
			this.transport.deleteAcknowledged();
		}
		catch (TransportException ex) {
			logger.debug("{} keeps what was acknowledged until the next time: {}", this.transport.name(),
					ErrorText.summaryOfRoot(ex));
		}
	}

}

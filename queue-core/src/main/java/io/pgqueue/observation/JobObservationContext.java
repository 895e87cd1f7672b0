package io.pgqueue.observation;

import java.util.Map;

import io.micrometer.observation.transport.Kind;
import io.micrometer.observation.transport.ReceiverContext;
import io.pgqueue.JobContext;

/**
 * An attempt that is observed. Its carrier holds what was kept on the job when it was
 * enqueued.
 *
 * @since 0.1.0
 */
public final class JobObservationContext extends ReceiverContext<Map<String, String>> {

	private final JobContext job;

	/**
	 * Creates the context.
	 * @param job what is run
	 * @param headers what was kept on it
	 */
	public JobObservationContext(JobContext job, Map<String, String> headers) {
		super(Map::get, Kind.CONSUMER);
		this.job = job;
		setCarrier(headers);
	}

	/**
	 * What is run.
	 * @return the attempt
	 */
	public JobContext job() {
		return this.job;
	}

}

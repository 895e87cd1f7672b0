package io.rowqueue.observation;

import java.util.Map;

import io.micrometer.observation.transport.Kind;
import io.micrometer.observation.transport.ReceiverContext;
import io.rowqueue.JobContext;

/**
 * The context of an observed attempt. Its carrier holds the headers that were stored with
 * the job when it was enqueued.
 *
 * @since 0.1.0
 */
public final class JobObservationContext extends ReceiverContext<Map<String, String>> {

	private final JobContext job;

	private final TagNames names;

	/**
	 * Creates the context.
	 * @param job the context of the attempt
	 * @param headers the headers of the job
	 * @param names limits the number of tag values
	 */
	public JobObservationContext(JobContext job, Map<String, String> headers, TagNames names) {
		super(Map::get, Kind.CONSUMER);
		this.job = job;
		this.names = names;
		setCarrier(headers);
	}

	/**
	 * Returns the attempt.
	 * @return the context of the attempt
	 */
	public JobContext job() {
		return this.job;
	}

	/**
	 * Returns the queue, for a tag of low cardinality.
	 * @return the queue; a common name if there are too many queues
	 */
	public String queue() {
		return this.names.queue(this.job.queue());
	}

	/**
	 * Returns the type, for a tag of low cardinality.
	 * @return the type; a common name if there are too many types
	 */
	public String type() {
		return this.names.type(this.job.type());
	}

}

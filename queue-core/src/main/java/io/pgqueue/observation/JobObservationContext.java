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

	private final TagNames names;

	/**
	 * Creates the context.
	 * @param job what is run
	 * @param headers what was kept on it
	 * @param names bounds the values of tags
	 */
	public JobObservationContext(JobContext job, Map<String, String> headers, TagNames names) {
		super(Map::get, Kind.CONSUMER);
		this.job = job;
		this.names = names;
		setCarrier(headers);
	}

	/**
	 * What is run.
	 * @return the attempt
	 */
	public JobContext job() {
		return this.job;
	}

	/**
	 * The queue, for a tag of low cardinality.
	 * @return another name if there are too many queues
	 */
	public String queue() {
		return this.names.queue(this.job.queue());
	}

	/**
	 * The type, for a tag of low cardinality.
	 * @return another name if there are too many types
	 */
	public String type() {
		return this.names.type(this.job.type());
	}

}

package io.rowqueue.observation;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

import io.micrometer.observation.transport.Kind;
import io.micrometer.observation.transport.SenderContext;
import io.rowqueue.JobRequest;

/**
 * The context of an observed enqueue. What tracing writes into its carrier is stored with
 * the jobs, as headers.
 *
 * @since 0.1.0
 */
public final class EnqueueObservationContext extends SenderContext<Map<String, String>> {

	private static final String SEVERAL = "several";

	private final List<JobRequest> requests;

	private final TagNames names;

	/**
	 * Creates the context.
	 * @param requests the jobs to enqueue; empty if they come from a stream
	 * @param headers the headers that are stored with the jobs
	 * @param names limits the number of tag values
	 */
	public EnqueueObservationContext(List<JobRequest> requests, Map<String, String> headers, TagNames names) {
		super((carrier, name, value) -> {
			if (carrier != null) {
				carrier.put(name, value);
			}
		}, Kind.PRODUCER);
		this.requests = List.copyOf(requests);
		this.names = names;
		setCarrier(headers);
	}

	/**
	 * Returns the jobs to enqueue.
	 * @return the requests; empty if they come from a stream
	 */
	public List<JobRequest> requests() {
		return this.requests;
	}

	/**
	 * Returns the queue, for a tag of low cardinality.
	 * @return the queue; {@code several} if there is more than one or they are not known;
	 * a common name if there are too many queues
	 */
	public String queue() {
		return common(JobRequest::queue).map(this.names::queue).orElse(SEVERAL);
	}

	/**
	 * Returns the type, for a tag of low cardinality.
	 * @return the type; {@code several} if there is more than one or they are not known;
	 * a common name if there are too many types
	 */
	public String type() {
		return common(JobRequest::type).map(this.names::type).orElse(SEVERAL);
	}

	private Optional<String> common(Function<JobRequest, String> value) {
		List<String> values = this.requests.stream().map(value).distinct().limit(2).toList();
		return (values.size() == 1) ? Optional.of(values.get(0)) : Optional.empty();
	}

}

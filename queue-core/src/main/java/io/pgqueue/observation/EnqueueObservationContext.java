package io.pgqueue.observation;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

import io.micrometer.observation.transport.Kind;
import io.micrometer.observation.transport.SenderContext;
import io.pgqueue.JobRequest;

/**
 * An enqueue that is observed. What tracing writes into its carrier is kept on the jobs.
 *
 * @since 0.1.0
 */
public final class EnqueueObservationContext extends SenderContext<Map<String, String>> {

	private static final String SEVERAL = "several";

	private final List<JobRequest> requests;

	private final TagNames names;

	/**
	 * Creates the context.
	 * @param requests what is enqueued; empty: they come from a stream
	 * @param headers kept on the jobs
	 * @param names bounds the values of tags
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
	 * What is enqueued.
	 * @return empty if the requests come from a stream
	 */
	public List<JobRequest> requests() {
		return this.requests;
	}

	/**
	 * The queue, for a tag of low cardinality.
	 * @return {@code several} if there is more than one, or they are not known; another
	 * name if there are too many queues
	 */
	public String queue() {
		return common(JobRequest::queue).map(this.names::queue).orElse(SEVERAL);
	}

	/**
	 * The type, for a tag of low cardinality.
	 * @return {@code several} if there is more than one, or they are not known; another
	 * name if there are too many types
	 */
	public String type() {
		return common(JobRequest::type).map(this.names::type).orElse(SEVERAL);
	}

	private Optional<String> common(Function<JobRequest, String> value) {
		List<String> values = this.requests.stream().map(value).distinct().limit(2).toList();
		return (values.size() == 1) ? Optional.of(values.get(0)) : Optional.empty();
	}

}

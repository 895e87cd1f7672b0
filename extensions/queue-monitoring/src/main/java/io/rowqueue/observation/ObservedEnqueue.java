package io.rowqueue.observation;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Supplier;

import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;
import io.rowqueue.JobRequest;
import io.rowqueue.listen.EnqueueInterceptor;
import org.jspecify.annotations.Nullable;

/**
 * Observes enqueues.
 *
 * @since 0.1.0
 */
public final class ObservedEnqueue implements EnqueueInterceptor {

	private final ObservationRegistry registry;

	private final @Nullable EnqueueObservationConvention convention;

	private final TagNames names;

	/**
	 * Creates the interceptor.
	 * @param registry receives the observations
	 * @param convention names the observations, or {@code null} for the default
	 * @param names limits the number of tag values
	 */
	public ObservedEnqueue(ObservationRegistry registry, @Nullable EnqueueObservationConvention convention,
			TagNames names) {
		this.registry = registry;
		this.convention = convention;
		this.names = names;
	}

	@Override
	public <T> T enqueue(List<JobRequest> requests, Map<String, String> headers, Supplier<T> enqueue) {
		Observation observation = QueueObservation.ENQUEUE.observation(this.convention,
				EnqueueObservationConvention.DEFAULT,
				() -> new EnqueueObservationContext(requests, headers, this.names), this.registry);
		return Objects.requireNonNull(observation.observe(enqueue));
	}

}

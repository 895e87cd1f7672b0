package io.rowqueue.observation;

import java.util.Map;

import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;
import io.rowqueue.JobContext;
import io.rowqueue.listen.AttemptScope;
import org.jspecify.annotations.Nullable;

/**
 * Observes attempts, from before the payload is read until the outcome is logged, so that
 * payloads which cannot be mapped are observed, and log lines of failures have the trace
 * of the attempt.
 *
 * @since 0.1.0
 */
public final class ObservedJob implements AttemptScope {

	private final ObservationRegistry registry;

	private final @Nullable JobObservationConvention convention;

	private final TagNames names;

	/**
	 * Creates the scope.
	 * @param registry receives the observations
	 * @param convention names the observations, or {@code null} for the default
	 * @param names limits the number of tag values
	 */
	public ObservedJob(ObservationRegistry registry, @Nullable JobObservationConvention convention, TagNames names) {
		this.registry = registry;
		this.convention = convention;
		this.names = names;
	}

	@Override
	public Opened open(JobContext job, Map<String, String> headers) {
		this.names.isRun(job.type());
		Observation observation = QueueObservation.PROCESS.observation(this.convention,
				JobObservationConvention.DEFAULT, () -> new JobObservationContext(job, headers, this.names),
				this.registry);
		observation.start();
		Observation.Scope scope = observation.openScope();
		return new Opened() {

			@Override
			public void failed(Throwable error) {
				observation.error(error);
			}

			@Override
			public void close() {
				scope.close();
				observation.stop();
			}

		};
	}

}

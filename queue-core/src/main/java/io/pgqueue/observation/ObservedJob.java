package io.pgqueue.observation;

import java.util.Map;

import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;
import io.pgqueue.JobContext;
import io.pgqueue.listen.AttemptScope;
import org.jspecify.annotations.Nullable;

/**
 * Observes attempts, from before the payload is read until what follows is logged: a
 * payload that does not fit is seen as well, and log lines of a failure have its trace.
 *
 * @since 0.1.0
 */
public final class ObservedJob implements AttemptScope {

	private final ObservationRegistry registry;

	private final @Nullable JobObservationConvention convention;

	private final TagNames names;

	/**
	 * Creates the scope.
	 * @param registry where observations go
	 * @param convention names them; {@code null}: as is usual
	 * @param names bounds the values of tags
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

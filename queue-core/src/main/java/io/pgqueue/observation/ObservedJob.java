package io.pgqueue.observation;

import java.util.Map;

import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;
import io.pgqueue.JobContext;
import io.pgqueue.JobInterceptor;
import org.jspecify.annotations.Nullable;

/**
 * Observes attempts, from before the payload is read: a payload that does not fit is seen
 * as well.
 *
 * @since 0.1.0
 */
public final class ObservedJob implements JobInterceptor {

	private final ObservationRegistry registry;

	private final @Nullable JobObservationConvention convention;

	private final TagNames names;

	/**
	 * Creates the interceptor.
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
	public <T extends @Nullable Object> T run(JobContext job, Map<String, String> headers, Attempt<T> attempt)
			throws Exception {
		Observation observation = QueueObservation.PROCESS.observation(this.convention,
				JobObservationConvention.DEFAULT, () -> new JobObservationContext(job, headers, this.names),
				this.registry);
		observation.start();
		try (Observation.Scope scope = observation.openScope()) {
			return attempt.run();
		}
		catch (Throwable ex) {
			observation.error(ex);
			throw ex;
		}
		finally {
			observation.stop();
		}
	}

}

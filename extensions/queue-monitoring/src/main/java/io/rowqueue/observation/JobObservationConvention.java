package io.rowqueue.observation;

import io.micrometer.common.KeyValue;
import io.micrometer.common.KeyValues;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationConvention;
import io.rowqueue.observation.QueueObservation.JobDetails;
import io.rowqueue.observation.QueueObservation.JobKeys;

/**
 * Names the observations of attempts. To change the names, declare a bean that overrides
 * methods of this interface.
 *
 * @since 0.1.0
 */
public interface JobObservationConvention extends ObservationConvention<JobObservationContext> {

	/** The default convention. */
	JobObservationConvention DEFAULT = new JobObservationConvention() {
	};

	@Override
	default String getName() {
		return "rowqueue.process";
	}

	@Override
	default String getContextualName(JobObservationContext context) {
		return "process " + context.job().type();
	}

	@Override
	default KeyValues getLowCardinalityKeyValues(JobObservationContext context) {
		return KeyValues.of(KeyValue.of(JobKeys.QUEUE, context.queue()), KeyValue.of(JobKeys.TYPE, context.type()));
	}

	@Override
	default KeyValues getHighCardinalityKeyValues(JobObservationContext context) {
		return KeyValues.of(KeyValue.of(JobDetails.ID, Long.toString(context.job().id())),
				KeyValue.of(JobDetails.ATTEMPT, Integer.toString(context.job().attempt())));
	}

	@Override
	default boolean supportsContext(Observation.Context context) {
		return context instanceof JobObservationContext;
	}

}

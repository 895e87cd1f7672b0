package io.rowqueue.observation;

import io.micrometer.common.KeyValue;
import io.micrometer.common.KeyValues;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationConvention;
import io.rowqueue.observation.QueueObservation.EnqueueKeys;

/**
 * Names the observations of enqueues. To change the names, declare a bean that overrides
 * methods of this interface.
 *
 * @since 0.1.0
 */
public interface EnqueueObservationConvention extends ObservationConvention<EnqueueObservationContext> {

	/** The default convention. */
	EnqueueObservationConvention DEFAULT = new EnqueueObservationConvention() {
	};

	@Override
	default String getName() {
		return "rowqueue.enqueue";
	}

	@Override
	default String getContextualName(EnqueueObservationContext context) {
		return "enqueue " + context.type();
	}

	@Override
	default KeyValues getLowCardinalityKeyValues(EnqueueObservationContext context) {
		return KeyValues.of(KeyValue.of(EnqueueKeys.QUEUE, context.queue()),
				KeyValue.of(EnqueueKeys.TYPE, context.type()));
	}

	@Override
	default boolean supportsContext(Observation.Context context) {
		return context instanceof EnqueueObservationContext;
	}

}

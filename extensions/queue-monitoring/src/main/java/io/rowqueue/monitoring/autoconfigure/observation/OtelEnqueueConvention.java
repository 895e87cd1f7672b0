package io.rowqueue.monitoring.autoconfigure.observation;

import io.micrometer.common.KeyValues;
import io.rowqueue.observation.EnqueueObservationContext;
import io.rowqueue.observation.EnqueueObservationConvention;

/** Describes enqueues with the messaging attributes of OpenTelemetry. */
final class OtelEnqueueConvention implements EnqueueObservationConvention {

	@Override
	public String getContextualName(EnqueueObservationContext context) {
		return "send " + context.queue();
	}

	@Override
	public KeyValues getLowCardinalityKeyValues(EnqueueObservationContext context) {
		return KeyValues.of("messaging.system", "rowqueue", "messaging.operation.name", "send",
				"messaging.operation.type", "send", "messaging.destination.name", context.queue(), "job.type",
				context.type());
	}

	@Override
	public KeyValues getHighCardinalityKeyValues(EnqueueObservationContext context) {
		int count = context.requests().size();
		return (count > 1) ? KeyValues.of("messaging.batch.message_count", Integer.toString(count)) : KeyValues.empty();
	}

}

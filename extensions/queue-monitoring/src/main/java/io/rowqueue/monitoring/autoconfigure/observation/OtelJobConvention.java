package io.rowqueue.monitoring.autoconfigure.observation;

import io.micrometer.common.KeyValues;
import io.rowqueue.observation.JobObservationContext;
import io.rowqueue.observation.JobObservationConvention;

/** Describes attempts with the messaging attributes of OpenTelemetry. */
final class OtelJobConvention implements JobObservationConvention {

	@Override
	public String getContextualName(JobObservationContext context) {
		return "process " + context.queue();
	}

	@Override
	public KeyValues getLowCardinalityKeyValues(JobObservationContext context) {
		return KeyValues.of("messaging.system", "rowqueue", "messaging.operation.name", "process",
				"messaging.operation.type", "process", "messaging.destination.name", context.queue(), "job.type",
				context.type());
	}

	@Override
	public KeyValues getHighCardinalityKeyValues(JobObservationContext context) {
		KeyValues details = KeyValues.of("messaging.message.id", Long.toString(context.job().id()), "job.attempt",
				Integer.toString(context.job().attempt()));
		Throwable error = context.getError();
		return (error != null) ? details.and("error.type", error.getClass().getName()) : details;
	}

}

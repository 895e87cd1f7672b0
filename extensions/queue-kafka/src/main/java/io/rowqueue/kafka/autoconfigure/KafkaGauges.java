package io.rowqueue.kafka.autoconfigure;

import java.util.OptionalLong;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.rowqueue.kafka.KafkaTransport;

/** How many jobs of each type Kafka holds. */
class KafkaGauges implements MeterBinder {

	private final KafkaTransport transport;

	KafkaGauges(KafkaTransport transport) {
		this.transport = transport;
	}

	@Override
	public void bindTo(MeterRegistry registry) {
		for (String type : this.transport.types()) {
			Gauge.builder("rowqueue.kafka.lag", this.transport, (transport) -> value(transport.lag(type)))
				.description("Jobs that Kafka holds: published, and neither ended nor handed over to the database.")
				.baseUnit("jobs")
				.tag("type", type)
				.register(registry);
		}
	}

	private static double value(OptionalLong lag) {
		return lag.isPresent() ? lag.getAsLong() : Double.NaN;
	}

}

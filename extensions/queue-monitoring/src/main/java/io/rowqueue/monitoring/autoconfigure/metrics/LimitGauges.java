package io.rowqueue.monitoring.autoconfigure.metrics;

import java.util.List;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.MultiGauge.Row;
import io.micrometer.core.instrument.Tags;
import io.rowqueue.engine.measure.Figure;
import io.rowqueue.engine.measure.Measurement;
import io.rowqueue.monitoring.autoconfigure.measurement.MeasurementObserver;

/** Gauges of the limits of queues and types, as they were measured. */
class LimitGauges implements MeasurementObserver {

	private final MultiGauge held;

	private final MultiGauge concurrency;

	private final MultiGauge tokens;

	LimitGauges(MeterRegistry registry) {
		this.held = QueueMeter.LIMIT_HELD.multiGauge(registry);
		this.concurrency = QueueMeter.LIMIT.multiGauge(registry);
		this.tokens = QueueMeter.LIMIT_TOKENS.multiGauge(registry);
	}

	@Override
	public void show(Measurement measurement) {
		this.held.register(rows(measurement, Figure.LIMIT_HELD), true);
		this.concurrency.register(rows(measurement, Figure.LIMIT_CONCURRENCY), true);
		this.tokens.register(rows(measurement, Figure.LIMIT_TOKENS), true);
	}

	private static List<Row<?>> rows(Measurement measurement, String name) {
		return measurement.figures()
			.stream()
			.filter((figure) -> figure.name().equals(name))
			.<Row<?>>map((figure) -> Row.of(
					Tags.of("kind", String.valueOf(figure.state()), "name", String.valueOf(figure.queue())),
					figure.value()))
			.toList();
	}

}

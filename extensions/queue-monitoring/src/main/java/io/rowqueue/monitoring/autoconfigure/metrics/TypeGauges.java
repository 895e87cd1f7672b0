package io.rowqueue.monitoring.autoconfigure.metrics;

import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.DoubleBinaryOperator;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.MultiGauge.Row;
import io.micrometer.core.instrument.Tags;
import io.rowqueue.engine.measure.Figure;
import io.rowqueue.engine.measure.Measurement;
import io.rowqueue.monitoring.autoconfigure.measurement.MeasurementObserver;
import io.rowqueue.observation.BoundedNames;

/**
 * Gauges of queues by the types of their jobs. Names are bounded anew with each
 * measurement, which has the types that live workers run before all others: an unknown
 * type keeps its place only while it has jobs and there is room.
 */
class TypeGauges implements MeasurementObserver {

	private final MultiGauge jobs;

	private final MultiGauge ages;

	private final int maxNames;

	private final List<String> queues;

	TypeGauges(MeterRegistry registry, int maxNames, Collection<String> queues) {
		this.maxNames = maxNames;
		this.queues = List.copyOf(queues);
		this.jobs = QueueMeter.TYPE_JOBS.multiGauge(registry);
		this.ages = QueueMeter.TYPE_OLDEST_AGE.multiGauge(registry);
	}

	@Override
	public void show(Measurement measurement) {
		BoundedNames queueNames = new BoundedNames(this.maxNames, this.queues);
		BoundedNames typeNames = new BoundedNames(this.maxNames);
		this.jobs.register(rows(measurement, Figure.JOBS_OF_TYPE, queueNames, typeNames, Double::sum), true);
		this.ages.register(rows(measurement, Figure.OLDEST_AGE_OF_TYPE, queueNames, typeNames, Math::max), true);
	}

	private static List<Row<?>> rows(Measurement measurement, String name, BoundedNames queueNames,
			BoundedNames typeNames, DoubleBinaryOperator merge) {
		Map<Tags, Double> values = new HashMap<>();
		measurement.figures().stream().filter((figure) -> figure.name().equals(name)).forEach((figure) -> {
			Tags tags = Tags.of("queue", queueNames.of(String.valueOf(figure.queue())), "type",
					typeNames.of(String.valueOf(figure.text())));
			values.merge((figure.state() != null) ? tags.and("state", figure.state()) : tags, figure.value(),
					merge::applyAsDouble);
		});
		return values.entrySet().stream().<Row<?>>map((each) -> Row.of(each.getKey(), each.getValue())).toList();
	}

}

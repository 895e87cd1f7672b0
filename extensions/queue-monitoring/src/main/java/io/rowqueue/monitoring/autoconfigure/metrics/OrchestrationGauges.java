package io.rowqueue.monitoring.autoconfigure.metrics;

import java.util.List;
import java.util.Set;
import java.util.TreeSet;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.MultiGauge.Row;
import io.micrometer.core.instrument.Tags;
import io.rowqueue.engine.measure.Figure;
import io.rowqueue.engine.measure.Measurement;
import io.rowqueue.monitoring.autoconfigure.measurement.MeasurementObserver;
import io.rowqueue.observation.BoundedNames;
import org.jspecify.annotations.Nullable;

/**
 * Gauges of recurring jobs, windows, flows and batches, as they were measured. A state
 * without members is shown as zero.
 */
class OrchestrationGauges implements MeasurementObserver {

	private static final List<String> SCHEDULE_STATES = List.of("active", "paused", "disabled", "ended");

	private final BoundedNames windowNames;

	private final MultiGauge windows;

	private volatile Measurement latest = Measurement.NONE;

	OrchestrationGauges(MeterRegistry registry, BoundedNames windowNames) {
		this.windowNames = windowNames;
		this.windows = QueueMeter.WINDOW_OPEN.multiGauge(registry);
		states(registry, QueueMeter.SCHEDULES, Figure.SCHEDULES, SCHEDULE_STATES);
		states(registry, QueueMeter.PAUSES, Figure.PAUSES, List.of("pause", "hold", "window"));
		states(registry, QueueMeter.WAITS, Figure.WAITS, List.of("signal", "sleep"));
		states(registry, QueueMeter.FLOWS, Figure.FLOWS, List.of("running", "failed"));
		states(registry, QueueMeter.BATCHES, Figure.BATCHES, List.of("open", "running"));
		gauge(QueueMeter.SCHEDULE_LATE, Figure.SCHEDULE_LATE, null, registry);
		gauge(QueueMeter.BATCH_OLDEST, Figure.BATCH_OLDEST, null, registry);
	}

	private void states(MeterRegistry registry, QueueMeter meter, String figure, List<String> states) {
		states.forEach((state) -> gauge(meter, figure, state, registry));
	}

	private void gauge(QueueMeter meter, String figure, @Nullable String state, MeterRegistry registry) {
		Gauge.builder(meter.meterName(), () -> this.latest.total(figure, state))
			.description(meter.description())
			.baseUnit(meter.unit())
			.tags((state != null) ? Tags.of("state", state) : Tags.empty())
			.register(registry);
	}

	@Override
	public void show(Measurement measurement) {
		this.latest = measurement;
		Set<String> seen = new TreeSet<>();
		this.windows.register(measurement.figures()
			.stream()
			.filter((figure) -> figure.name().equals(Figure.WINDOW_OPEN))
			.filter((figure) -> seen.add(this.windowNames.of(String.valueOf(figure.queue()))))
			.<Row<?>>map((figure) -> Row.of(Tags.of("window", this.windowNames.of(String.valueOf(figure.queue()))),
					figure.value()))
			.toList(), true);
	}

}

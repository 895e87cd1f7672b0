package io.rowqueue.monitoring.autoconfigure.metrics;

import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.MultiGauge.Row;
import io.micrometer.core.instrument.Tags;
import io.rowqueue.JobRequest;
import io.rowqueue.engine.measure.Figure;
import io.rowqueue.engine.measure.Measurement;
import io.rowqueue.engine.worker.WorkerStatus;
import io.rowqueue.monitoring.autoconfigure.measurement.MeasurementObserver;
import io.rowqueue.observation.BoundedNames;

/**
 * Gauges of the latest measurement, from memory: reading a gauge never queries the
 * database. A queue that was measured once keeps its gauges, at zero.
 */
class QueueGauges implements MeasurementObserver {

	private static final List<String> STATES = List.of("blocked", "scheduled", "queued", "starting", "running", "stuck",
			"failed", Figure.OVERDUE);

	private final MeterRegistry registry;

	private final BoundedNames names;

	private final BoundedNames typeNames;

	private final MultiGauge jobs;

	private final MultiGauge ages;

	private final MultiGauge unhandled;

	private final Map<String, Map<String, Double>> queues = new TreeMap<>();

	private volatile Map<String, Double> totals = Map.of();

	QueueGauges(MeterRegistry registry, BoundedNames names, BoundedNames typeNames, Collection<String> queues,
			Supplier<Optional<Measurement>> measurement, Supplier<Optional<WorkerStatus>> worker) {
		this.registry = registry;
		this.names = names;
		this.typeNames = typeNames;
		this.jobs = QueueMeter.JOBS.multiGauge(this.registry);
		this.ages = QueueMeter.OLDEST_AGE.multiGauge(this.registry);
		this.unhandled = QueueMeter.UNHANDLED.multiGauge(this.registry);
		total(QueueMeter.WORKERS, Figure.WORKERS);
		total(QueueMeter.DEAD_ROWS, Figure.DEAD_ROWS);
		total(QueueMeter.TABLE_SIZE, Figure.TABLE_BYTES);
		total(QueueMeter.HORIZON_AGE, Figure.HORIZON_AGE);
		total(QueueMeter.LIMIT_WAITING, Figure.LIMIT_WAITING);
		total(QueueMeter.OUTBOX_JOBS, Figure.OUTBOX_JOBS);
		total(QueueMeter.OUTBOX_AGE, Figure.OUTBOX_AGE);
		gauge(QueueMeter.MEASUREMENT_AGE, () -> seconds(measurement.get().map(Measurement::age)));
		gauge(QueueMeter.HEARTBEAT_AGE, () -> seconds(worker.get().map(WorkerStatus::heartbeatAge)));
		seen(JobRequest.DEFAULT_QUEUE);
		queues.forEach(this::seen);
		show(new Measurement(Duration.ZERO, List.of()));
	}

	/** Registers the gauges of one pool of this process. */
	void pool(String name, Supplier<Optional<WorkerStatus.PoolStatus>> pool) {
		slots(name, "used", pool, WorkerStatus.PoolStatus::running);
		// more may run than there are slots now
		slots(name, "free", pool, (status) -> Math.max(0, status.slots() - status.running()));
		Gauge
			.builder(QueueMeter.PREFETCHED.meterName(),
					() -> pool.get().map(WorkerStatus.PoolStatus::prefetched).orElse(0))
			.description(QueueMeter.PREFETCHED.description())
			.baseUnit(QueueMeter.PREFETCHED.unit())
			.tags("pool", name)
			.register(this.registry);
	}

	private void slots(String name, String state, Supplier<Optional<WorkerStatus.PoolStatus>> pool,
			Function<WorkerStatus.PoolStatus, Integer> value) {
		Gauge.builder(QueueMeter.SLOTS.meterName(), () -> pool.get().map(value).orElse(0))
			.description(QueueMeter.SLOTS.description())
			.baseUnit(QueueMeter.SLOTS.unit())
			.tags("pool", name, "state", state)
			.register(this.registry);
	}

	/** Replaces the figures. */
	@Override
	public void show(Measurement measurement) {
		this.queues.values().forEach(Map::clear);
		Map<String, Double> others = new TreeMap<>();
		Map<Tags, Double> unhandled = new HashMap<>();
		for (Figure figure : measurement.figures()) {
			if (figure.queue() == null) {
				others.put(figure.name(), figure.value());
				continue;
			}
			if (figure.name().startsWith(Figure.LIMIT) || figure.name().equals(Figure.WINDOW_OPEN)
					|| figure.name().equals(Figure.PAUSED) || figure.name().equals(Figure.JOBS_OF_TYPE)
					|| figure.name().equals(Figure.OLDEST_AGE_OF_TYPE)) {
				continue; // shown by other gauges
			}
			if (figure.name().equals(Figure.UNHANDLED)) {
				unhandled.merge(Tags.of("queue", this.names.of(figure.queue()), "type",
						this.typeNames.of(String.valueOf(figure.state()))), figure.value(), Math::max);
				continue;
			}
			Map<String, Double> queue = seen(figure.queue());
			if (figure.name().equals(Figure.JOBS)) {
				queue.merge(String.valueOf(figure.state()), figure.value(), Double::sum);
			}
			else {
				queue.merge(figure.name(), figure.value(), Math::max);
			}
		}
		this.totals = others;
		this.unhandled.register(
				unhandled.entrySet().stream().<Row<?>>map((each) -> Row.of(each.getKey(), each.getValue())).toList(),
				true);
		this.jobs.register(rows(STATES), true);
		this.ages.register(this.queues.entrySet()
			.stream()
			.<Row<?>>map((queue) -> Row.of(Tags.of("queue", queue.getKey()),
					queue.getValue().getOrDefault(Figure.OLDEST_AGE, 0.0)))
			.toList(), true);
	}

	private List<Row<?>> rows(List<String> states) {
		Stream<Row<?>> rows = this.queues.entrySet()
			.stream()
			.flatMap((queue) -> states.stream()
				.map((state) -> Row.of(Tags.of("queue", queue.getKey(), "state", state),
						queue.getValue().getOrDefault(state, 0.0))));
		return rows.toList();
	}

	private Map<String, Double> seen(String queue) {
		return this.queues.computeIfAbsent(
				queue.equals(Figure.OTHER_QUEUES) ? BoundedNames.OTHERS : this.names.of(queue),
				(name) -> new TreeMap<>());
	}

	private void total(QueueMeter meter, String figure) {
		gauge(meter, () -> this.totals.getOrDefault(figure, 0.0));
	}

	private void gauge(QueueMeter meter, Supplier<Number> value) {
		Gauge.builder(meter.meterName(), value)
			.description(meter.description())
			.baseUnit(meter.unit())
			.register(this.registry);
	}

	private static double seconds(Optional<Duration> duration) {
		return duration.map((each) -> each.toMillis() / 1000.0).orElse(Double.NaN);
	}

}

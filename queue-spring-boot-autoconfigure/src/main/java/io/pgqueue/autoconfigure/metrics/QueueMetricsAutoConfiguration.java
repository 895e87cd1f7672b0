package io.pgqueue.autoconfigure.metrics;

import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.function.Supplier;

import com.zaxxer.hikari.metrics.micrometer.MicrometerMetricsTrackerFactory;
import io.micrometer.core.instrument.MeterRegistry;
import io.pgqueue.JobRequest;
import io.pgqueue.autoconfigure.MeasurementProperties;
import io.pgqueue.autoconfigure.QueueProperties;
import io.pgqueue.autoconfigure.connection.WorkerConnections;
import io.pgqueue.autoconfigure.measurement.QueueMeasurementAutoConfiguration;
import io.pgqueue.autoconfigure.worker.QueueLifecycle;
import io.pgqueue.autoconfigure.worker.QueueWorkerAutoConfiguration;
import io.pgqueue.engine.measure.Measurements;
import io.pgqueue.engine.support.BoundedNames;
import io.pgqueue.engine.worker.WorkerStatus;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.LazyInitializationExcludeFilter;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.context.annotation.Bean;

/**
 * Auto-configuration of the queue's meters.
 *
 * @since 0.1.0
 */
@AutoConfiguration(after = { QueueMeasurementAutoConfiguration.class, QueueWorkerAutoConfiguration.class },
		afterName = "org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration")
@ConditionalOnClass(MeterRegistry.class)
@ConditionalOnBean(Measurements.class)
@ConditionalOnSingleCandidate(MeterRegistry.class)
public final class QueueMetricsAutoConfiguration {

	@Bean
	JobMeters pgqueueJobMeters(MeterRegistry registry, MeasurementProperties properties, QueueProperties queue) {
		return new JobMeters(registry, new BoundedNames(properties.maxNames(), queues(queue)),
				new BoundedNames(properties.maxNames()), new BoundedNames(properties.maxNames()));
	}

	@Bean
	QueueGauges pgqueueGauges(MeterRegistry registry, Measurements measurements, MeasurementProperties properties,
			QueueProperties queue, ObjectProvider<QueueLifecycle> lifecycle, WorkerConnections connections) {
		connections.measureBy(new MicrometerMetricsTrackerFactory(registry));
		Supplier<Optional<WorkerStatus>> worker = () -> Optional.ofNullable(lifecycle.getIfAvailable())
			.flatMap(QueueLifecycle::status);
		QueueGauges gauges = new QueueGauges(registry, new BoundedNames(properties.maxNames(), queues(queue)),
				new BoundedNames(properties.maxNames()), queue.worker().queues().keySet(), measurements::latest,
				worker);
		if (queue.worker().enabled()) {
			pools(queue.worker()).forEach((name) -> gauges.pool(name, () -> worker.get()
				.flatMap((status) -> status.pools().stream().filter((pool) -> pool.name().equals(name)).findFirst())));
		}
		return gauges;
	}

	@Bean
	TypeGauges pgqueueTypeGauges(MeterRegistry registry, MeasurementProperties properties, QueueProperties queue) {
		return new TypeGauges(registry, properties.maxNames(), queues(queue));
	}

	@Bean
	LimitGauges pgqueueLimitGauges(MeterRegistry registry) {
		return new LimitGauges(registry);
	}

	@Bean
	OrchestrationGauges pgqueueOrchestrationGauges(MeterRegistry registry, MeasurementProperties properties) {
		return new OrchestrationGauges(registry, new BoundedNames(properties.maxNames()));
	}

	/** Whoever enqueues may invent others, and must not hide these. */
	private static Collection<String> queues(QueueProperties queue) {
		Collection<String> queues = new LinkedHashSet<>(queue.worker().queues().keySet());
		queues.add(JobRequest.DEFAULT_QUEUE);
		return queues;
	}

	private static Collection<String> pools(QueueProperties.Worker worker) {
		Collection<String> pools = new LinkedHashSet<>();
		worker.queues().keySet().forEach((queue) -> pools.add("queue " + queue));
		if (worker.concurrency() > 0) {
			pools.add("*");
		}
		return pools;
	}

	/** Nothing asks for the meters: lazy initialization would leave them out. */
	@Bean
	static LazyInitializationExcludeFilter pgqueueMetersLazyInitializationExcludeFilter() {
		return LazyInitializationExcludeFilter.forBeanTypes(JobMeters.class, QueueGauges.class, TypeGauges.class,
				LimitGauges.class, OrchestrationGauges.class);
	}

}

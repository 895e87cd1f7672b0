package io.rowqueue.autoconfigure.metrics;

import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.function.Supplier;

import com.zaxxer.hikari.metrics.micrometer.MicrometerMetricsTrackerFactory;
import io.micrometer.core.instrument.MeterRegistry;
import io.rowqueue.autoconfigure.QueueProperties;
import io.rowqueue.autoconfigure.ShardName;
import io.rowqueue.autoconfigure.WorkerProperties;
import io.rowqueue.autoconfigure.connection.WorkerConnections;
import io.rowqueue.autoconfigure.measurement.QueueMeasurementAutoConfiguration;
import io.rowqueue.autoconfigure.worker.QueueLifecycle;
import io.rowqueue.autoconfigure.worker.QueueWorkerAutoConfiguration;
import io.rowqueue.engine.measure.Measurements;
import io.rowqueue.engine.worker.WorkerStatus;
import io.rowqueue.observation.BoundedNames;
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
@ConditionalOnClass({ MeterRegistry.class, Measurements.class })
@ConditionalOnBean(Measurements.class)
@ConditionalOnSingleCandidate(MeterRegistry.class)
public final class QueueMetricsAutoConfiguration {

	@Bean
	ShardMeters rowqueueShardMeters(MeterRegistry registry, ObjectProvider<ShardName> shard) {
		return new ShardMeters(registry, shard.getIfAvailable());
	}

	@Bean
	JobMeters rowqueueJobMeters(ShardMeters meters, QueueProperties properties) {
		return new JobMeters(meters.registry(), queues(properties), names(properties), names(properties));
	}

	@Bean
	QueueGauges rowqueueGauges(ShardMeters meters, Measurements measurements, QueueProperties properties,
			ObjectProvider<QueueLifecycle> lifecycle, WorkerConnections connections) {
		MeterRegistry registry = meters.registry();
		connections.measureBy(new MicrometerMetricsTrackerFactory(registry));
		Supplier<Optional<WorkerStatus>> worker = () -> Optional.ofNullable(lifecycle.getIfAvailable())
			.flatMap(QueueLifecycle::status);
		QueueGauges gauges = new QueueGauges(registry, queues(properties), names(properties),
				properties.worker().queues().keySet(), measurements::latest, worker);
		if (properties.worker().enabled()) {
			pools(properties.worker()).forEach((name) -> gauges.pool(name, () -> worker.get()
				.flatMap((status) -> status.pools().stream().filter((pool) -> pool.name().equals(name)).findFirst())));
		}
		return gauges;
	}

	@Bean
	TypeGauges rowqueueTypeGauges(ShardMeters meters, QueueProperties properties) {
		return new TypeGauges(meters.registry(), properties.measurement().maxNames(), properties.worker().queueNames());
	}

	@Bean
	LimitGauges rowqueueLimitGauges(ShardMeters meters) {
		return new LimitGauges(meters.registry());
	}

	@Bean
	OrchestrationGauges rowqueueOrchestrationGauges(ShardMeters meters, QueueProperties properties) {
		return new OrchestrationGauges(meters.registry(), names(properties));
	}

	private static BoundedNames queues(QueueProperties properties) {
		return new BoundedNames(properties.measurement().maxNames(), properties.worker().queueNames());
	}

	private static BoundedNames names(QueueProperties properties) {
		return new BoundedNames(properties.measurement().maxNames());
	}

	private static Collection<String> pools(WorkerProperties worker) {
		Collection<String> pools = new LinkedHashSet<>();
		worker.queues().keySet().forEach((queue) -> pools.add("queue " + queue));
		if (worker.concurrency() > 0) {
			pools.add("*");
		}
		return pools;
	}

	/** No bean depends on the meters: lazy initialization would omit them. */
	@Bean
	static LazyInitializationExcludeFilter rowqueueMetersLazyInitializationExcludeFilter() {
		return LazyInitializationExcludeFilter.forBeanTypes(JobMeters.class, QueueGauges.class, TypeGauges.class,
				LimitGauges.class, OrchestrationGauges.class);
	}

}

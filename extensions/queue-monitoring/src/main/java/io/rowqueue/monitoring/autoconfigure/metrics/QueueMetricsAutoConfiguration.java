package io.rowqueue.monitoring.autoconfigure.metrics;

import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.function.Supplier;

import com.zaxxer.hikari.HikariDataSource;
import com.zaxxer.hikari.metrics.micrometer.MicrometerMetricsTrackerFactory;
import io.micrometer.core.instrument.MeterRegistry;
import io.rowqueue.engine.database.ShardName;
import io.rowqueue.engine.database.WorkerPool;
import io.rowqueue.engine.measure.Measurements;
import io.rowqueue.engine.worker.RunningWorkers;
import io.rowqueue.engine.worker.WorkerSettings;
import io.rowqueue.engine.worker.WorkerStatus;
import io.rowqueue.monitoring.autoconfigure.MonitoringProperties;
import io.rowqueue.monitoring.autoconfigure.measurement.QueueMeasurementAutoConfiguration;
import io.rowqueue.observation.BoundedNames;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.LazyInitializationExcludeFilter;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.context.annotation.Bean;
import org.springframework.core.env.Environment;

/**
 * Auto-configuration of the queue's meters.
 *
 * @since 0.1.0
 */
@AutoConfiguration(after = QueueMeasurementAutoConfiguration.class,
		afterName = { "io.rowqueue.autoconfigure.worker.QueueWorkerAutoConfiguration",
				"org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration" })
@ConditionalOnClass(MeterRegistry.class)
@ConditionalOnBean(Measurements.class)
@ConditionalOnSingleCandidate(MeterRegistry.class)
public final class QueueMetricsAutoConfiguration {

	@Bean
	ShardMeters rowqueueShardMeters(MeterRegistry registry, ObjectProvider<ShardName> shard) {
		return new ShardMeters(registry, shard.getIfAvailable());
	}

	@Bean
	JobMeters rowqueueJobMeters(ShardMeters meters, MonitoringProperties properties, WorkerSettings worker) {
		return new JobMeters(meters.registry(), queues(properties, worker), names(properties), names(properties));
	}

	@Bean
	QueueGauges rowqueueGauges(ShardMeters meters, Measurements measurements, MonitoringProperties properties,
			WorkerSettings settings, ObjectProvider<RunningWorkers> workers, WorkerPool pool, Environment environment) {
		MeterRegistry registry = meters.registry();
		measure(pool, registry);
		Supplier<Optional<WorkerStatus>> worker = () -> Optional.ofNullable(workers.getIfAvailable())
			.flatMap(RunningWorkers::status);
		QueueGauges gauges = new QueueGauges(registry, queues(properties, settings), names(properties),
				settings.queues().keySet(), measurements::latest, worker);
		if (environment.getProperty("rowqueue.worker.enabled", Boolean.class, true)) {
			pools(settings).forEach((name) -> gauges.pool(name, () -> worker.get()
				.flatMap((status) -> status.pools().stream().filter((each) -> each.name().equals(name)).findFirst())));
		}
		return gauges;
	}

	/** Publishes meters of the pool, unless it has inherited the application's. */
	private static void measure(WorkerPool pool, MeterRegistry registry) {
		if (pool.dataSource() instanceof HikariDataSource hikari && hikari.getMetricsTrackerFactory() == null
				&& hikari.getMetricRegistry() == null) {
			hikari.setMetricsTrackerFactory(new MicrometerMetricsTrackerFactory(registry));
		}
	}

	@Bean
	TypeGauges rowqueueTypeGauges(ShardMeters meters, MonitoringProperties properties, WorkerSettings worker) {
		return new TypeGauges(meters.registry(), properties.measurement().maxNames(), worker.queueNames());
	}

	@Bean
	LimitGauges rowqueueLimitGauges(ShardMeters meters) {
		return new LimitGauges(meters.registry());
	}

	@Bean
	OrchestrationGauges rowqueueOrchestrationGauges(ShardMeters meters, MonitoringProperties properties) {
		return new OrchestrationGauges(meters.registry(), names(properties));
	}

	private static BoundedNames queues(MonitoringProperties properties, WorkerSettings worker) {
		return new BoundedNames(properties.measurement().maxNames(), worker.queueNames());
	}

	private static BoundedNames names(MonitoringProperties properties) {
		return new BoundedNames(properties.measurement().maxNames());
	}

	private static Collection<String> pools(WorkerSettings worker) {
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

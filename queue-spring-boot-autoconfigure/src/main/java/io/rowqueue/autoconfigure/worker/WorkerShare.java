package io.rowqueue.autoconfigure.worker;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

import io.rowqueue.autoconfigure.ConnectionProperties;
import io.rowqueue.autoconfigure.JobTypeProperties;
import io.rowqueue.autoconfigure.QueueProperties;
import io.rowqueue.engine.enqueue.Carriage;
import io.rowqueue.engine.handler.HandlerRegistry;
import io.rowqueue.engine.slot.PoolFactory;
import io.rowqueue.engine.support.PropertyName;
import io.rowqueue.engine.worker.WorkerSettings;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;

/**
 * What one worker of the process runs. A process has one worker, and another one for each
 * lease that the properties of types name: a lease belongs to a worker, with all that
 * depends on it.
 *
 * @param handlers the types that it runs
 * @param settings how it works
 * @param lease the lease that its types have of their own; {@code null}: it is the main
 * worker
 */
record WorkerShare(HandlerRegistry handlers, WorkerSettings settings, @Nullable Duration lease) {

	/**
	 * Divides the types of a process.
	 * @param carriage carries the jobs of some types
	 * @return the main worker first, unless nothing is left for it
	 * @throws InvalidConfigurationPropertyValueException if a type has a lease and no
	 * concurrency or is carried, or the pool has too few connections
	 */
	static List<WorkerShare> of(HandlerRegistry handlers, QueueProperties properties, Carriage carriage) {
		WorkerSettings settings = properties.worker().settings();
		Map<Duration, Set<String>> typesByLease = new TreeMap<>();
		properties.types().forEach((type, options) -> {
			Duration lease = options.lease();
			if (lease != null && !lease.equals(settings.lease()) && handlers.types().contains(type)) {
				checkClaimed(type, lease, carriage);
				typesByLease.computeIfAbsent(lease, (added) -> new TreeSet<>()).add(type);
			}
		});
		List<WorkerShare> shares = new ArrayList<>();
		HandlerRegistry others = handlers
			.only((type) -> typesByLease.values().stream().noneMatch((types) -> types.contains(type)));
		if (!others.types().isEmpty()) {
			shares.add(new WorkerShare(others, settings, null));
		}
		typesByLease.forEach((lease, types) -> {
			HandlerRegistry selected = handlers.only(types::contains);
			int slots = types.stream().mapToInt((type) -> concurrency(type, selected, properties.types())).sum();
			shares.add(new WorkerShare(selected, settings.withLease(lease).withSlots(slots), lease));
		});
		checkConnections(shares.size(), properties.connection());
		return shares;
	}

	private static void checkClaimed(String type, Duration lease, Carriage carriage) {
		carriage.carrierOf(type).ifPresent((carrier) -> {
			throw new InvalidConfigurationPropertyValueException(PropertyName.of("rowqueue.types", type) + ".lease",
					lease,
					"%s is to carry the jobs of this type. No worker claims them, so that they cannot have a lease: remove this property, or the type from those that %s carries"
						.formatted(carrier, carrier));
		});
	}

	private static int concurrency(String type, HandlerRegistry handlers, Map<String, JobTypeProperties> properties) {
		@Nullable Integer concurrency = handlers.options(type).concurrency();
		if (concurrency == null) {
			String property = PropertyName.of("rowqueue.types", type);
			throw new InvalidConfigurationPropertyValueException(property + ".lease",
					Objects.requireNonNull(properties.get(type)).lease(),
					"Jobs of a type with a lease of its own run in another worker, which needs to know how many of them"
							+ " run at once: set " + property + ".concurrency as well");
		}
		return concurrency;
	}

	private static void checkConnections(int workers, ConnectionProperties connection) {
		int needed = workers * ConnectionProperties.MIN_POOL_SIZE;
		if (connection.maximumPoolSize() < needed) {
			throw new InvalidConfigurationPropertyValueException("rowqueue.connection.maximum-pool-size",
					connection.maximumPoolSize(),
					"This process has %s workers, because types have leases of their own, which need at least %s connections"
						.formatted(workers, needed));
		}
	}

	/** Whether it runs all types without a lease of their own. */
	boolean isMain() {
		return this.lease == null;
	}

	/** Tells the threads of its worker from those of the others: their lease. */
	String suffix() {
		return (this.lease != null) ? " (lease " + this.lease + ")" : "";
	}

	/** Returns what creates its pools. */
	PoolFactory pools(PoolFactory pools) {
		return (this.lease != null) ? pools.of(this.lease) : pools;
	}

}

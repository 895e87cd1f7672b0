package io.rowqueue.monitoring.autoconfigure.metrics;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.composite.CompositeMeterRegistry;
import io.rowqueue.engine.database.ShardName;
import org.jspecify.annotations.Nullable;

/**
 * Where the queue's meters are registered: in an application with several shards, with
 * the tag {@code shard}.
 */
final class ShardMeters implements AutoCloseable {

	private final MeterRegistry registry;

	private final boolean ofShard;

	/**
	 * Creates it.
	 * @param registry the application's registry
	 * @param shard the shard that is measured; {@code null}: the queue has one database
	 */
	ShardMeters(MeterRegistry registry, @Nullable ShardName shard) {
		this.ofShard = (shard != null);
		this.registry = (shard != null) ? tagged(registry, shard.value()) : registry;
	}

	private static MeterRegistry tagged(MeterRegistry registry, String shard) {
		CompositeMeterRegistry tagged = new CompositeMeterRegistry();
		tagged.config().commonTags("shard", shard);
		tagged.add(registry);
		return tagged;
	}

	MeterRegistry registry() {
		return this.registry;
	}

	/**
	 * Removes the meters of a shard that this process uses no more: the application's
	 * registry would show their last values for ever, also if the shard comes back.
	 */
	@Override
	public void close() {
		if (this.ofShard) {
			this.registry.clear();
		}
	}

}

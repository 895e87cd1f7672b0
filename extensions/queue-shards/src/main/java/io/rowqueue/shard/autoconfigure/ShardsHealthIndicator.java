package io.rowqueue.shard.autoconfigure;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

import org.springframework.boot.health.contributor.AbstractHealthIndicator;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.health.contributor.Status;

/**
 * The health of the shards besides the home shard, which the health of the queue covers.
 * A shard that has a problem, or is not available, does not make the application unfit
 * for requests.
 */
final class ShardsHealthIndicator extends AbstractHealthIndicator {

	/** A status that Boot's aggregation ignores. */
	private static final Status DEGRADED = new Status("DEGRADED", "A shard of the queue needs attention");

	private final Supplier<List<ShardHost>> hosts;

	ShardsHealthIndicator(Supplier<List<ShardHost>> hosts) {
		super("The health check of the shards failed");
		this.hosts = hosts;
	}

	@Override
	protected void doHealthCheck(Health.Builder builder) {
		Map<String, Health> shards = new LinkedHashMap<>();
		this.hosts.get().forEach((host) -> shards.put(host.name(), health(host)));
		boolean up = shards.values().stream().allMatch((health) -> health.getStatus().equals(Status.UP));
		builder.status(up ? Status.UP : DEGRADED).withDetails(shards);
	}

	private static Health health(ShardHost host) {
		return host.context()
			.map((context) -> context.getBean("rowqueueHealthIndicator", HealthIndicator.class).health())
			.orElseGet(() -> Health.status(DEGRADED)
				.withDetail("problems", Map.of("database", "The shard has not been available to this process yet"))
				.build());
	}

}

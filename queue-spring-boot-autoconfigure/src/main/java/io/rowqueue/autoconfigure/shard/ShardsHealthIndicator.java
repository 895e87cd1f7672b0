package io.rowqueue.autoconfigure.shard;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

import io.rowqueue.engine.support.Times;
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

	private static final String PROBLEMS = "problems";

	private final Supplier<List<ShardHost>> hosts;

	private final Supplier<Optional<String>> relay;

	private final Duration oldestAge;

	/**
	 * Creates the indicator.
	 * @param oldestAge how long a job may wait in an outbox
	 */
	ShardsHealthIndicator(Supplier<List<ShardHost>> hosts, Supplier<Optional<String>> relay, Duration oldestAge) {
		super("The health check of the shards failed");
		this.oldestAge = oldestAge;
		this.hosts = hosts;
		this.relay = relay;
	}

	@Override
	protected void doHealthCheck(Health.Builder builder) {
		Map<String, Health> shards = new LinkedHashMap<>();
		this.hosts.get().forEach((host) -> shards.put(host.name(), health(host)));
		Optional<String> problem = this.relay.get();
		problem.ifPresent((text) -> builder.withDetail("outboxes", text));
		boolean up = problem.isEmpty()
				&& shards.values().stream().allMatch((health) -> health.getStatus().equals(Status.UP));
		builder.status(up ? Status.UP : DEGRADED).withDetails(shards);
	}

	private Health health(ShardHost host) {
		Health health = healthOfQueue(host);
		Duration age = host.isOutbox() ? host.oldestAge() : Duration.ZERO;
		if (age.compareTo(this.oldestAge) <= 0) {
			return health;
		}
		Map<Object, Object> problems = new LinkedHashMap<>();
		if (health.getDetails().get(PROBLEMS) instanceof Map<?, ?> known) {
			problems.putAll(known);
		}
		problems.put("oldest-age",
				"The first job has waited for " + Times.readable(age) + " to be handed over to another shard");
		return Health.status(DEGRADED).withDetails(health.getDetails()).withDetail(PROBLEMS, problems).build();
	}

	private static Health healthOfQueue(ShardHost host) {
		return host.context()
			.map((context) -> context.getBean("rowqueueHealthIndicator", HealthIndicator.class).health())
			.orElseGet(() -> Health.status(DEGRADED)
				.withDetail(PROBLEMS, Map.of("database", "The shard has not been available to this process yet"))
				.build());
	}

}

package io.rowqueue.autoconfigure.shard;

import java.time.Duration;
import java.util.Optional;

import io.rowqueue.engine.shard.OutboxRelay;
import io.rowqueue.engine.shard.ShardGroup;
import io.rowqueue.engine.support.Loop;
import io.rowqueue.engine.support.Outage;

/** Hands over the jobs of all outboxes; its thread starts with the first outbox. */
final class OutboxRelaying {

	/** How often an outbox is read that other processes enqueue jobs in. */
	private static final Duration INTERVAL = Duration.ofSeconds(1);

	private final Outage outage = new Outage("Outboxes");

	private final OutboxRelay relay;

	private final Loop loop;

	OutboxRelaying(ShardGroup group) {
		this.relay = new OutboxRelay(group);
		this.loop = new Loop("rowqueue-outbox", this.outage, INTERVAL, this.relay::relay);
	}

	/** There are new jobs; returns at once. */
	void wake() {
		this.loop.wake();
	}

	/** Returns why jobs cannot be handed over, if that is so. */
	Optional<String> problem() {
		return this.outage.database().or(() -> this.outage.failing().values().stream().findFirst());
	}

	/** For how long the first job of an outbox has waited; zero if none does. */
	Duration oldestAge(String outbox) {
		return this.relay.oldestAge(outbox);
	}

	void stop() {
		this.loop.stop();
	}

}

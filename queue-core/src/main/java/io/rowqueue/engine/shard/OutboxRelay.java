package io.rowqueue.engine.shard;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;

import io.rowqueue.shard.Shard;

/**
 * Hands the jobs of outboxes over to the shards that run them, in the same three steps as
 * a move: see {@link ShardMoves}. The relays of all processes share the work.
 */
public final class OutboxRelay {

	private static final int JOBS_AT_ONCE = 500;

	private final ShardGroup group;

	private final ShardMoves moves;

	/** Of outboxes that have jobs. */
	private final Map<String, Age> oldest = new ConcurrentHashMap<>();

	public OutboxRelay(ShardGroup group) {
		this.group = group;
		this.moves = new ShardMoves(group);
	}

	/**
	 * Hands over what waits in the outboxes that are available.
	 * @throws RuntimeException if an outbox failed; all others were relayed
	 */
	public void relay() {
		RuntimeException first = null;
		for (QueueShard outbox : this.group.all()) {
			try {
				if (outbox.isOutbox() && outbox.isAvailable()) {
					relay(outbox);
				}
			}
			catch (RuntimeException ex) {
				first = (first != null) ? first : ex;
			}
		}
		if (first != null) {
			throw first;
		}
	}

	private void relay(QueueShard outbox) {
		List<QueueShard> targets = this.group.queues().stream().filter(QueueShard::isAvailable).toList();
		Optional<Duration> waiting = outbox.handovers().oldestWait();
		waiting.ifPresentOrElse((age) -> this.oldest.put(outbox.name(), new Age(age, System.nanoTime())),
				() -> this.oldest.remove(outbox.name()));
		if (targets.isEmpty() || waiting.isEmpty()) {
			return;
		}
		if (this.group.buckets(outbox) > 0) { // it has been a queue
			this.moves.empty(outbox, targets);
		}
		int released = 0;
		do {
			released = outbox.handovers().releaseOutbox(JOBS_AT_ONCE, owners(targets), next());
			this.moves.complete(outbox);
		}
		while (released >= JOBS_AT_ONCE);
	}

	/**
	 * Returns for how long the first job of an outbox has waited that has not arrived at
	 * another shard, from memory; zero if all have. It grows while the outbox is not
	 * available.
	 * @param outbox the name of the shard
	 */
	public Duration oldestAge(String outbox) {
		Age age = this.oldest.get(outbox);
		return (age != null) ? age.now() : Duration.ZERO;
	}

	private List<Integer> owners(List<QueueShard> available) {
		List<Integer> numbers = available.stream().map(QueueShard::number).toList();
		return IntStream.range(0, Shard.BUCKETS)
			.map(this.group::owner)
			.mapToObj((owner) -> numbers.contains(owner) ? owner : 0)
			.toList();
	}

	private int next() {
		QueueShard next = this.group.inTurn().get(0);
		return next.isAvailable() ? next.number() : 0;
	}

	/**
	 * An age, as the database has reported it.
	 *
	 * @param age the age then
	 * @param at when that was, as in {@link System#nanoTime()}
	 */
	private record Age(Duration age, long at) {

		Duration now() {
			return this.age.plusNanos(System.nanoTime() - this.at);
		}

	}

}

package io.rowqueue.engine.shard;

import java.util.List;
import java.util.Optional;

import io.rowqueue.JobQueue;
import io.rowqueue.shard.Shard;
import io.rowqueue.shard.ShardAdmin;
import io.rowqueue.shard.Shards;
import org.springframework.dao.DataAccessResourceFailureException;

/** The shards that this process knows. */
public final class DefaultShards implements Shards {

	private final ShardGroup group;

	private final ShardMoves moves;

	private final JobLocator locator;

	private final Runnable refresh;

	/**
	 * Creates it.
	 * @param refresh looks for shards that were added or removed; returns at once
	 */
	public DefaultShards(ShardGroup group, Runnable refresh) {
		this.group = group;
		this.moves = new ShardMoves(group);
		this.locator = new JobLocator(group);
		this.refresh = refresh;
	}

	@Override
	public List<Shard> list() {
		return this.group.all().stream().filter(QueueShard::isKnown).map(this::view).toList();
	}

	@Override
	public Optional<Shard> of(long id) {
		return this.group.ofId(id).filter(QueueShard::isKnown).map(this::view);
	}

	@Override
	public Optional<Shard> holding(long jobId) {
		return this.locator.find(jobId, MoveWait.LONGEST).map(this::view).or(() -> {
			this.group.named(jobId);
			return Optional.empty();
		});
	}

	@Override
	public Optional<Shard> holding(String uniqueKey) {
		return this.locator.ofKey(uniqueKey).map(this::view);
	}

	private Shard view(QueueShard shard) {
		return new Shard(shard.name(), shard.number(), shard == this.group.home(), shard.isAvailable(),
				this.group.buckets(shard));
	}

	@Override
	public JobQueue queue(String shard) {
		return this.group.byName(shard).queue();
	}

	@Override
	public ShardAdmin admin(String shard) {
		return this.group.byName(shard).admin();
	}

	@Override
	public int move(String from, String to, int buckets) {
		return this.moves.moveBuckets(this.group.byName(from), this.group.byName(to), buckets);
	}

	@Override
	public int balance() {
		return this.moves.balance(available());
	}

	@Override
	public int empty(String shard) {
		QueueShard from = this.group.byName(shard);
		List<QueueShard> others = available().stream().filter((other) -> other != from).toList();
		if (others.isEmpty()) {
			throw new DataAccessResourceFailureException("There is no other shard that is available");
		}
		return this.moves.empty(from, others);
	}

	private List<QueueShard> available() {
		return this.group.all().stream().filter(QueueShard::isAvailable).toList();
	}

	@Override
	public void refresh() {
		this.refresh.run();
	}

}

package io.pgqueue.engine.shard;

import java.util.List;
import java.util.Optional;

import io.pgqueue.JobQueue;
import io.pgqueue.admin.JobAdmin;
import io.pgqueue.shard.Shard;
import io.pgqueue.shard.Shards;

/** The shards that this process knows. */
public final class DefaultShards implements Shards {

	private final ShardGroup group;

	private final Runnable refresh;

	/**
	 * Creates it.
	 * @param refresh looks for shards that were added or removed; returns at once
	 */
	public DefaultShards(ShardGroup group, Runnable refresh) {
		this.group = group;
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

	private Shard view(QueueShard shard) {
		return new Shard(shard.name(), shard.number(), shard == this.group.home(), shard.isAvailable(),
				this.group.buckets(shard));
	}

	@Override
	public JobQueue queue(String shard) {
		return this.group.byName(shard).queue();
	}

	@Override
	public JobAdmin admin(String shard) {
		return this.group.byName(shard).admin();
	}

	@Override
	public void refresh() {
		this.refresh.run();
	}

}

package io.rowqueue.engine.shard;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import io.rowqueue.limit.Hold;
import io.rowqueue.limit.JobLimits;
import io.rowqueue.limit.Limit;
import io.rowqueue.limit.LimitKind;
import io.rowqueue.limit.LimitView;
import org.jspecify.annotations.Nullable;

/** The limits of all shards, which have the same ones. Each shard counts for itself. */
public final class ShardedJobLimits implements JobLimits {

	private final EachShard shards;

	public ShardedJobLimits(ShardGroup group) {
		this.shards = new EachShard(group);
	}

	@Override
	public void set(LimitKind kind, String name, Limit limit) {
		this.shards.change((shard) -> {
			shard.administration().limits().set(kind, name, limit);
			return true;
		});
	}

	@Override
	public void configure(LimitKind kind, String name, Limit limit) {
		this.shards.change((shard) -> {
			shard.administration().limits().configure(kind, name, limit);
			return true;
		});
	}

	@Override
	public boolean remove(LimitKind kind, String name) {
		return this.shards.change((shard) -> shard.administration().limits().remove(kind, name)).contains(true);
	}

	@Override
	public void hold(LimitKind kind, String name, Duration time, @Nullable String reason) {
		this.shards.change((shard) -> {
			shard.administration().limits().hold(kind, name, time, reason);
			return true;
		});
	}

	@Override
	public boolean release(LimitKind kind, String name) {
		return this.shards.change((shard) -> shard.administration().limits().release(kind, name)).contains(true);
	}

	/** A hold that several shards have is returned once, as one of them shows it. */
	@Override
	public List<Hold> holds() {
		Map<List<Object>, Hold> holds = new LinkedHashMap<>();
		this.shards.read((shard) -> shard.administration().limits().holds())
			.forEach((hold) -> holds.putIfAbsent(List.of(hold.kind(), hold.name()), hold));
		return List.copyOf(holds.values());
	}

	@Override
	public void setWeight(String fairnessKey, int weight) {
		this.shards.change((shard) -> {
			shard.administration().limits().setWeight(fairnessKey, weight);
			return true;
		});
	}

	@Override
	public Map<String, Integer> weights() {
		Map<String, Integer> weights = new LinkedHashMap<>();
		this.shards.read((shard) -> List.of(shard.administration().limits().weights())).forEach(weights::putAll);
		return weights;
	}

	/** A limit that several shards have is returned once, as one of them shows it. */
	@Override
	public List<LimitView> list() {
		Map<List<Object>, LimitView> limits = new LinkedHashMap<>();
		this.shards.read((shard) -> shard.administration().limits().list())
			.forEach((limit) -> limits.putIfAbsent(List.of(limit.kind(), limit.name()), limit));
		return List.copyOf(limits.values());
	}

}

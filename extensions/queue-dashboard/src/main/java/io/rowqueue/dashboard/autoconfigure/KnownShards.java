package io.rowqueue.dashboard.autoconfigure;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

import io.rowqueue.dashboard.api.health.SessionApi.ShardChoice;
import io.rowqueue.dashboard.api.health.ShardsApi.ShardState;
import io.rowqueue.engine.measure.Measurements;
import io.rowqueue.shard.Shard;
import io.rowqueue.shard.Shards;
import io.rowqueue.shard.autoconfigure.ShardBeans;
import org.jspecify.annotations.Nullable;

/**
 * The shards, for the pages of one of them.
 *
 * @param beans the beans of each shard; {@code null}: the queue has one database
 * @param shown the name of the shard that the pages show
 */
record KnownShards(@Nullable ShardBeans beans, String shown) {

	Optional<ShardChoice> choice() {
		return Optional.ofNullable(this.beans)
			.filter((shards) -> shards.names().size() > 1)
			.map((shards) -> new ShardChoice(this.shown, shards.home(), shards.names()));
	}

	/** Returns what this process knows of each shard, without a read. */
	List<ShardState> states() {
		ShardBeans shards = this.beans;
		if (shards == null) {
			return List.of();
		}
		Map<String, Shard> joined = joined(shards);
		return shards.names().stream().map((name) -> state(shards, name, joined.get(name))).toList();
	}

	private static Map<String, Shard> joined(ShardBeans shards) {
		return shards.context(shards.home())
			.map((home) -> home.getBean(Shards.class).list())
			.orElse(List.of())
			.stream()
			.collect(Collectors.toMap(Shard::name, Function.identity()));
	}

	private static ShardState state(ShardBeans shards, String name, @Nullable Shard joined) {
		return new ShardState(name, name.equals(shards.home()), joined != null && joined.available(),
				(joined != null) ? joined.buckets() : null,
				shards.context(name).flatMap((context) -> context.getBean(Measurements.class).latest()));
	}

}

package io.pgqueue.dashboard.autoconfigure;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

import io.pgqueue.autoconfigure.shard.ShardBeans;
import io.pgqueue.dashboard.api.SessionApi.ShardChoice;
import io.pgqueue.dashboard.api.ShardsApi.ShardState;
import io.pgqueue.engine.measure.Measurements;
import io.pgqueue.shard.Shard;
import io.pgqueue.shard.Shards;
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
		Map<String, Shard> joined = shards.context(shards.home())
			.map((home) -> home.getBean(Shards.class).list())
			.orElse(List.of())
			.stream()
			.collect(Collectors.toMap(Shard::name, Function.identity()));
		return shards.names().stream().map((name) -> state(shards, name, joined.get(name))).toList();
	}

	private static ShardState state(ShardBeans shards, String name, @Nullable Shard joined) {
		return new ShardState(name, name.equals(shards.home()), joined != null && joined.available(),
				(joined != null) ? joined.buckets() : null,
				shards.context(name).flatMap((context) -> context.getBean(Measurements.class).latest()));
	}

}

package io.rowqueue.dashboard.autoconfigure;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiFunction;

import io.rowqueue.dashboard.http.Api;
import io.rowqueue.dashboard.http.Shards;
import io.rowqueue.shard.autoconfigure.ShardBeans;
import org.springframework.context.ApplicationContext;

/**
 * The APIs of the shards besides the home shard, each created on its first request. What
 * an API opens is closed with the context of its shard.
 */
final class ShardApis implements Shards {

	private final ShardBeans shards;

	private final BiFunction<String, ApplicationContext, Api> create;

	private final Map<String, Opened> opened = new HashMap<>();

	/**
	 * Creates them.
	 * @param shards the beans of each shard
	 * @param create creates the API of a shard
	 */
	ShardApis(ShardBeans shards, BiFunction<String, ApplicationContext, Api> create) {
		this.shards = shards;
		this.create = create;
	}

	@Override
	public Optional<Api> find(String name) {
		if (name.equals(this.shards.home())) {
			return Optional.empty();
		}
		return this.shards.context(name).map((context) -> of(name, context));
	}

	/** A shard that went and came again has another context. */
	private synchronized Api of(String name, ApplicationContext context) {
		return this.opened.compute(name, (shard, known) -> (known != null && known.context == context) ? known
				: new Opened(context, this.create.apply(shard, context))).api;
	}

	private record Opened(ApplicationContext context, Api api) {

	}

}

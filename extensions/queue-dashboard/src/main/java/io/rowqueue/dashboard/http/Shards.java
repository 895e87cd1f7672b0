package io.rowqueue.dashboard.http;

import java.util.Optional;

/** The shards of the queue besides the home shard, which paths without a shard show. */
@FunctionalInterface
public interface Shards {

	/** The queue has one database. */
	Shards NONE = (name) -> Optional.empty();

	/**
	 * Returns the API of a shard.
	 * @param name the name of the shard
	 * @return its API; empty if there is no such shard, or it has not been available yet
	 */
	Optional<Api> find(String name);

}

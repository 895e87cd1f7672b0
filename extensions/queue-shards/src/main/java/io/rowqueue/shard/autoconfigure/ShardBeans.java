package io.rowqueue.shard.autoconfigure;

import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

import org.springframework.context.ApplicationContext;

/**
 * The beans of each shard, for what shows or changes one shard at a time, such as the
 * dashboard.
 *
 * @since 0.1.0
 */
public final class ShardBeans {

	private final String home;

	private final ApplicationContext application;

	private final ShardsLifecycle shards;

	ShardBeans(String home, ApplicationContext application, ShardsLifecycle shards) {
		this.home = home;
		this.application = application;
		this.shards = shards;
	}

	/** Returns the name of the home shard. */
	public String home() {
		return this.home;
	}

	/** Returns the names of all shards, also of those that are not available. */
	public List<String> names() {
		return Stream.concat(Stream.of(this.home), this.shards.hosts().stream().map(ShardHost::name).sorted()).toList();
	}

	/**
	 * Returns the context with the beans of a shard.
	 * @param shard the name of the shard
	 * @return the context, which is closed when this process uses the shard no more;
	 * empty if there is no such shard, or it has not been available to this process yet
	 */
	public Optional<ApplicationContext> context(String shard) {
		return shard.equals(this.home) ? Optional.of(this.application)
				: this.shards.hosts()
					.stream()
					.filter((host) -> host.name().equals(shard))
					.findFirst()
					.flatMap(ShardHost::context);
	}

}

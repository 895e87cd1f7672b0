package io.rowqueue.dashboard.api.health;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

import io.rowqueue.dashboard.api.Count;
import io.rowqueue.dashboard.api.Reads;
import io.rowqueue.dashboard.api.Resource;
import io.rowqueue.dashboard.api.queue.Measured;
import io.rowqueue.dashboard.http.Route;
import io.rowqueue.engine.measure.Measurement;
import org.jspecify.annotations.Nullable;

/**
 * The shards of the queue. Nothing is read from them: whether they are available, and
 * what was measured last, is in the memory of this process.
 */
public final class ShardsApi implements Resource {

	private final Reads reads;

	private final Supplier<List<ShardState>> shards;

	/**
	 * Creates the resource.
	 * @param reads reads the time
	 * @param shards all shards; empty if the queue has one database
	 */
	public ShardsApi(Reads reads, Supplier<List<ShardState>> shards) {
		this.reads = reads;
		this.shards = shards;
	}

	@Override
	public List<Route> routes() {
		return List.of(Route.get("shards", (call) -> this.reads.read(
				(at) -> new Shards(at, this.shards.get().stream().map((shard) -> ShardInfo.of(shard, at)).toList()))));
	}

	/**
	 * A shard, as this process knows it.
	 *
	 * @param name its name
	 * @param home whether it is the home shard
	 * @param available whether this process can use it now
	 * @param buckets how many buckets of keys it owns; {@code null}: it has not been
	 * available yet
	 * @param measurement what was measured last
	 */
	public record ShardState(String name, boolean home, boolean available, @Nullable Integer buckets,
			Optional<Measurement> measurement) {

	}

	record Shards(Instant at, List<ShardInfo> items) {

	}

	record ShardInfo(String name, boolean home, boolean available, @Nullable Integer buckets,
			@Nullable Instant measuredAt, Map<String, Count> counts, @Nullable Long oldestMs) {

		static ShardInfo of(ShardState shard, Instant now) {
			Measured measured = Measured.of(shard.measurement(), now);
			return new ShardInfo(shard.name(), shard.home(), shard.available(), shard.buckets(), measured.at(),
					measured.counts((figure) -> true), measured.oldestMs((figure) -> true));
		}

	}

}

package io.rowqueue.engine.shard;

import java.util.Comparator;
import java.util.List;
import java.util.Optional;

import io.rowqueue.flow.BatchProgress;
import io.rowqueue.flow.FlowAdmin;
import io.rowqueue.flow.FlowJobView;
import io.rowqueue.flow.FlowView;

/**
 * The flows and batches of all shards. Their ids name the shard, which they never leave.
 */
public final class ShardedFlowAdmin implements FlowAdmin {

	private final ShardGroup group;

	private final EachShard shards;

	public ShardedFlowAdmin(ShardGroup group) {
		this.group = group;
		this.shards = new EachShard(group);
	}

	private FlowAdmin of(long id) {
		return this.group.named(id).administration().flows();
	}

	@Override
	public Optional<FlowView> find(long id) {
		return of(id).find(id);
	}

	@Override
	public List<FlowView> list(long before, int limit) {
		return this.shards.read((shard) -> shard.administration().flows().list(before, limit))
			.stream()
			.sorted(Comparator.comparing(FlowView::id).reversed())
			.limit(limit)
			.toList();
	}

	@Override
	public List<FlowView> unfinished(int limit) {
		return this.shards.read((shard) -> shard.administration().flows().unfinished(limit))
			.stream()
			.sorted(Comparator.comparing((FlowView flow) -> flow.failed() == 0)
				.thenComparing(FlowView::id, Comparator.reverseOrder()))
			.limit(limit)
			.toList();
	}

	@Override
	public List<BatchProgress> unfinishedBatches(int limit) {
		return this.shards.read((shard) -> shard.administration().flows().unfinishedBatches(limit))
			.stream()
			.sorted(Comparator.comparing(BatchProgress::createdAt))
			.limit(limit)
			.toList();
	}

	@Override
	public List<FlowJobView> jobs(long id) {
		return of(id).jobs(id);
	}

	@Override
	public int cancel(long id) {
		return of(id).cancel(id);
	}

	@Override
	public int retry(long id) {
		return of(id).retry(id);
	}

	@Override
	public int cancelBatch(long id) {
		return of(id).cancelBatch(id);
	}

}

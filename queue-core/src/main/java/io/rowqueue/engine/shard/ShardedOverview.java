package io.rowqueue.engine.shard;

import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import io.rowqueue.admin.FailureView;
import io.rowqueue.admin.JobCount;
import io.rowqueue.admin.LaneView;
import io.rowqueue.admin.QueueOverview;
import io.rowqueue.admin.RunningView;
import io.rowqueue.admin.WorkerView;

/** An overview of all shards that are available. Numbers of jobs are added up. */
public final class ShardedOverview implements QueueOverview {

	private final ShardGroup group;

	private final EachShard shards;

	public ShardedOverview(ShardGroup group) {
		this.group = group;
		this.shards = new EachShard(group);
	}

	@Override
	public List<JobCount> jobs() {
		Map<List<String>, JobCount> counts = new LinkedHashMap<>();
		this.shards.read((shard) -> shard.administration().overview().jobs())
			.forEach((count) -> counts.merge(List.of(count.queue(), count.state()), count,
					(one, other) -> new JobCount(one.queue(), one.state(), one.jobs() + other.jobs())));
		return List.copyOf(counts.values());
	}

	@Override
	public List<WorkerView> workers() {
		return limited(this.shards.read((shard) -> shard.administration().overview().workers()), MAX_RESULTS);
	}

	@Override
	public List<LaneView> lanes() {
		return this.shards.read((shard) -> shard.administration().overview().lanes())
			.stream()
			.sorted(Comparator.comparing(LaneView::age).reversed())
			.limit(MAX_RESULTS)
			.toList();
	}

	@Override
	public List<RunningView> running(int limit) {
		return this.shards.read((shard) -> shard.administration().overview().running(limit))
			.stream()
			.sorted(Comparator.comparing(RunningView::age).reversed())
			.limit(limit)
			.toList();
	}

	@Override
	public List<FailureView> failures(int limit) {
		return this.shards.read((shard) -> shard.administration().overview().failures(limit))
			.stream()
			.sorted(Comparator.comparing(FailureView::failedAt).reversed())
			.limit(limit)
			.toList();
	}

	@Override
	public String libraryVersion() {
		return this.group.home().administration().overview().libraryVersion();
	}

	@Override
	public int installedSchemaVersion() {
		return this.group.home().administration().overview().installedSchemaVersion();
	}

	@Override
	public int librarySchemaVersion() {
		return this.group.home().administration().overview().librarySchemaVersion();
	}

	private static <T> List<T> limited(List<T> views, int limit) {
		return views.stream().limit(limit).toList();
	}

}

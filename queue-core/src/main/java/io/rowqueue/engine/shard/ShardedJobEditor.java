package io.rowqueue.engine.shard;

import java.util.Optional;

import io.rowqueue.admin.JobEditor;
import io.rowqueue.admin.WrittenJob;
import io.rowqueue.step.SignalResult;
import org.jspecify.annotations.Nullable;

/**
 * Edits the jobs of all shards. What names a job applies to the shard that has it, and a
 * copy of a job is enqueued there as well. A new job is enqueued in the first shard in
 * turn that is available.
 */
public final class ShardedJobEditor implements JobEditor {

	private final ShardGroup group;

	private final EachShard shards;

	public ShardedJobEditor(ShardGroup group) {
		this.group = group;
		this.shards = new EachShard(group);
	}

	private JobEditor of(long id) {
		return this.shards.of(id).administration().editor();
	}

	@Override
	public EditResult edit(long id, String payload, @Nullable String revision) {
		return of(id).edit(id, payload, revision);
	}

	@Override
	public Optional<Long> replay(long id, @Nullable String payload) {
		return of(id).replay(id, payload);
	}

	@Override
	public long enqueue(WrittenJob job) {
		return this.group.inTurn().get(0).administration().editor().enqueue(job);
	}

	@Override
	public SignalResult signal(long id, String name, @Nullable String payload) {
		return of(id).signal(id, name, payload);
	}

}

package io.rowqueue.engine.shard;

import java.util.Optional;

import io.rowqueue.Job;

/** Reads committed jobs of all shards. */
public final class ShardedJobs {

	private final ShardGroup group;

	public ShardedJobs(ShardGroup group) {
		this.group = group;
	}

	/**
	 * Reads a committed job, in the shard that has it.
	 * @param longest the number of characters that payload and result are truncated to
	 */
	public Optional<Job> findCommitted(long id, int longest) {
		return this.group.search(id, (shard) -> shard.jobs().findCommitted(id, longest));
	}

}

package io.pgqueue.engine.shard;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

import io.pgqueue.JobQueueException;
import io.pgqueue.engine.support.ErrorText;

/** Asks or changes every shard, whichever of them are available. */
final class EachShard {

	private final ShardGroup group;

	EachShard(ShardGroup group) {
		this.group = group;
	}

	/**
	 * Changes each shard.
	 * @throws JobQueueException if a shard could not be changed; all others have been
	 */
	<T> List<T> change(Function<QueueShard, T> change) {
		List<T> results = new ArrayList<>();
		Map<String, RuntimeException> failed = new LinkedHashMap<>();
		for (QueueShard shard : this.group.all()) {
			try {
				results.add(change.apply(shard));
			}
			catch (RuntimeException ex) {
				failed.put(shard.name(), ex);
			}
		}
		if (!failed.isEmpty()) {
			RuntimeException first = failed.values().iterator().next();
			JobQueueException exception = new JobQueueException(
					"The change was not applied to the shards %s; it was applied to all others. %s"
						.formatted(failed.keySet(), ErrorText.summaryOfRoot(first)),
					first);
			failed.values().stream().skip(1).forEach(exception::addSuppressed);
			throw exception;
		}
		return results;
	}

	/** Reads from the shards that are available; from the home shard in any case. */
	<T> List<T> read(Function<QueueShard, List<T>> read) {
		return this.group.all()
			.stream()
			.filter((shard) -> shard == this.group.home() || shard.isAvailable())
			.flatMap((shard) -> read.apply(shard).stream())
			.toList();
	}

	/** Returns the shard that has a job; the one that its id names if none has it. */
	QueueShard of(long id) {
		return new JobLocator(this.group).of(id);
	}

}

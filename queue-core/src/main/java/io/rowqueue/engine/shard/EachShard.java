package io.rowqueue.engine.shard;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Predicate;

import io.rowqueue.JobQueueException;
import io.rowqueue.engine.support.ErrorText;

/** Asks or changes every shard, whichever of them are available. */
final class EachShard {

	private final ShardGroup group;

	private final JobLocator locator;

	EachShard(ShardGroup group) {
		this.group = group;
		this.locator = new JobLocator(group);
	}

	/**
	 * Changes each shard.
	 * @throws JobQueueException if a shard could not be changed; all others have been
	 */
	<T> List<T> change(Function<QueueShard, T> change) {
		List<T> results = new ArrayList<>();
		Map<String, RuntimeException> failed = changeUntil((shard) -> {
			results.add(change.apply(shard));
			return false;
		});
		if (!failed.isEmpty()) {
			throw notApplied("it was applied to all others", failed);
		}
		return results;
	}

	/**
	 * Changes the shard that has what is to be changed.
	 * @param found whether the result says that the shard has it
	 * @param none the result if no shard has it
	 * @throws JobQueueException if no shard has it, and one could not be asked
	 */
	<T> T changeOne(Function<QueueShard, T> change, Predicate<T> found, T none) {
		List<T> results = new ArrayList<>();
		Map<String, RuntimeException> failed = changeUntil((shard) -> {
			T result = change.apply(shard);
			return found.test(result) && results.add(result);
		});
		if (results.isEmpty() && !failed.isEmpty()) {
			throw notApplied("the others do not have what is to be changed", failed);
		}
		return results.isEmpty() ? none : results.get(0);
	}

	/** Returns what failed until then, by the names of the shards. */
	private Map<String, RuntimeException> changeUntil(Predicate<QueueShard> change) {
		Map<String, RuntimeException> failed = new LinkedHashMap<>();
		for (QueueShard shard : this.group.all()) {
			try {
				if (change.test(shard)) {
					return failed;
				}
			}
			catch (RuntimeException ex) {
				failed.put(shard.name(), ex);
			}
		}
		this.group.missing().forEach((name) -> failed.put(name, ShardGroup.unavailable("'" + name + "'")));
		return failed;
	}

	private static JobQueueException notApplied(String others, Map<String, RuntimeException> failed) {
		RuntimeException first = failed.values().iterator().next();
		JobQueueException exception = new JobQueueException("The change was not applied to the shards %s; %s. %s"
			.formatted(failed.keySet(), others, ErrorText.summaryOfRoot(first)), first);
		failed.values().stream().skip(1).forEach(exception::addSuppressed);
		return exception;
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
		return this.locator.of(id);
	}

	/** Returns the shard that has the job of a key; the owner of the key if none has. */
	QueueShard ofKey(String uniqueKey) {
		return this.locator.ofKey(uniqueKey).orElseGet(() -> this.group.withKey(uniqueKey));
	}

}

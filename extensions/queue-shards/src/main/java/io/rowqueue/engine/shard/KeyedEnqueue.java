package io.rowqueue.engine.shard;

import java.util.Collection;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;

import io.rowqueue.JobQueue;
import io.rowqueue.JobRequest;
import io.rowqueue.engine.database.TransactionCheck;
import org.jspecify.annotations.Nullable;
import org.springframework.dao.ConcurrencyFailureException;

/**
 * Enqueues jobs with keys outside of the caller's transactions, in the shard that owns
 * the keys. While a bucket is being moved, it waits.
 */
final class KeyedEnqueue {

	private final ShardGroup group;

	private final TransactionCheck check;

	KeyedEnqueue(ShardGroup group, TransactionCheck check) {
		this.group = group;
		this.check = check;
	}

	/**
	 * Enqueues in the shard that owns the buckets.
	 * @param owner returns the shard that owns them, as far as this process knows
	 * @throws ConcurrencyFailureException if the buckets are still being moved after 10
	 * seconds
	 */
	<T> T enqueue(Collection<Integer> buckets, Supplier<QueueShard> owner, Function<JobQueue, T> enqueue) {
		this.check.outside();
		MoveWait wait = new MoveWait(this.group::moveIsOverdue, MoveWait.LONGEST);
		while (true) {
			QueueShard shard = owner.get();
			Optional<T> result = shard.keys().enqueue(buckets, () -> enqueue.apply(shard.queue()));
			if (result.isPresent()) {
				return result.get();
			}
			wait.rest(() -> moved(null));
			this.group.refreshBuckets();
		}
	}

	/**
	 * Enqueues jobs that are read while they are stored. The whole transaction fails if a
	 * bucket is moved meanwhile.
	 * @param known the buckets that are known before a job is read
	 */
	long enqueueAll(QueueShard shard, Collection<Integer> known, Stream<JobRequest> jobs,
			Function<Stream<JobRequest>, Long> enqueue) {
		this.check.outside();
		return shard.keys()
			.enqueue(known, () -> enqueue.apply(jobs.map((job) -> hold(shard, job))))
			.orElseThrow(() -> refreshed(moved(null)));
	}

	private JobRequest hold(QueueShard shard, JobRequest job) {
		String key = Buckets.key(job);
		if (key != null && !shard.keys().hold(Buckets.of(key))) {
			throw refreshed(moved(key));
		}
		return job;
	}

	/** The caller is to find the new owner when it tries again. */
	private ConcurrencyFailureException refreshed(ConcurrencyFailureException failure) {
		this.group.refreshBuckets();
		return failure;
	}

	private static ConcurrencyFailureException moved(@Nullable String key) {
		return new ConcurrencyFailureException(
				((key != null) ? "The key '" + key + "' is being moved to another shard, or was"
						: "The keys are being moved to another shard, or were") + " moved a moment ago. Try again");
	}

}

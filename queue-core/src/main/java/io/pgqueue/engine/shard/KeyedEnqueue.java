package io.pgqueue.engine.shard;

import java.time.Duration;
import java.util.Collection;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;

import io.pgqueue.JobQueue;
import io.pgqueue.JobRequest;
import org.jspecify.annotations.Nullable;
import org.springframework.dao.ConcurrencyFailureException;

/**
 * Enqueues jobs with keys outside of the caller's transactions, in the shard that owns
 * the keys. While a bucket is being moved, it waits.
 */
final class KeyedEnqueue {

	/** A move takes a small part of this, unless its process has died. */
	private static final Duration LONGEST = Duration.ofSeconds(10);

	private static final Duration MIN_PAUSE = Duration.ofMillis(2);

	private static final Duration MAX_PAUSE = Duration.ofMillis(50);

	private final ShardGroup group;

	KeyedEnqueue(ShardGroup group) {
		this.group = group;
	}

	/**
	 * Enqueues in the shard that owns the buckets.
	 * @param owner returns the shard that owns them, as far as this process knows
	 * @throws ConcurrencyFailureException if the buckets are still being moved after 10
	 * seconds
	 */
	<T> T enqueue(Collection<Integer> buckets, Supplier<QueueShard> owner, Function<JobQueue, T> enqueue) {
		long begin = System.nanoTime();
		for (Duration pause = MIN_PAUSE;; pause = longer(pause)) {
			QueueShard shard = owner.get();
			Optional<T> result = shard.keys().enqueue(buckets, () -> enqueue.apply(shard.queue()));
			if (result.isPresent()) {
				return result.get();
			}
			if (System.nanoTime() - begin > LONGEST.toNanos()) {
				throw moved(null);
			}
			rest(pause);
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
		return shard.keys().enqueue(known, () -> enqueue.apply(jobs.map((job) -> {
			String key = Buckets.key(job);
			if (key != null && !shard.keys().hold(Buckets.of(key))) {
				throw moved(key);
			}
			return job;
		}))).orElseThrow(() -> moved(null));
	}

	private static Duration longer(Duration pause) {
		Duration doubled = pause.multipliedBy(2);
		return (doubled.compareTo(MAX_PAUSE) < 0) ? doubled : MAX_PAUSE;
	}

	private static void rest(Duration pause) {
		try {
			Thread.sleep(pause.toMillis());
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw moved(null);
		}
	}

	private static ConcurrencyFailureException moved(@Nullable String key) {
		return new ConcurrencyFailureException(((key != null) ? "The key '" + key + "' is" : "The keys are")
				+ " being moved to another shard, or were moved a moment ago. Try again");
	}

}

package io.rowqueue.engine.shard;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.function.Supplier;

import org.springframework.dao.ConcurrencyFailureException;

/**
 * Finds the shard that has a job: the one that its id names, or one that it was moved to.
 * While the job is between two shards, it waits.
 */
final class JobLocator {

	private final ShardGroup group;

	JobLocator(ShardGroup group) {
		this.group = group;
	}

	/**
	 * Returns the shard that has a job; the one that its id names if none has it.
	 * @throws ConcurrencyFailureException if the job is still being moved after 10
	 * seconds
	 */
	QueueShard of(long id) {
		return find(id, MoveWait.LONGEST).orElseGet(() -> this.group.named(id));
	}

	/**
	 * Returns the shard that has a job.
	 * @param longest how long to wait while it is being moved
	 * @return the shard; empty if none that this process knows has it
	 * @throws ConcurrencyFailureException if the job is still being moved then
	 */
	Optional<QueueShard> find(long id, Duration longest) {
		return find(() -> this.group.toSearch(id), (shard) -> shard.queue().find(id).isPresent(),
				(shard) -> shard.handovers().contain(id), "The job " + id, longest);
	}

	/**
	 * Returns the shard that has the job of a unique key. It is another one than the
	 * owner of the key if the job has a limit key, or was enqueued in a transaction.
	 */
	Optional<QueueShard> ofKey(String uniqueKey) {
		return find(() -> this.group.toSearch(uniqueKey),
				(shard) -> shard.admin().jobs().job(uniqueKey).find().isPresent(),
				(shard) -> shard.handovers().containKey(uniqueKey), "The job with the unique key '" + uniqueKey + "'",
				MoveWait.LONGEST);
	}

	private Optional<QueueShard> find(Supplier<List<QueueShard>> shards, Predicate<QueueShard> has,
			Predicate<QueueShard> moves, String job, Duration longest) {
		MoveWait wait = new MoveWait(this.group::moveIsOverdue, longest);
		while (true) {
			List<QueueShard> searched = shards.get();
			Optional<QueueShard> holder = searched.stream().filter(has).findFirst();
			if (holder.isPresent()) {
				return holder;
			}
			if (searched.stream().noneMatch(moves)) {
				// it may have arrived in between
				return searched.stream().filter(has).findFirst();
			}
			wait.rest(() -> new ConcurrencyFailureException(job + " is being moved to another shard. Try again"));
		}
	}

}

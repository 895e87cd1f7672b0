package io.pgqueue.engine.shard;

import java.util.List;
import java.util.Optional;

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
		MoveWait wait = new MoveWait(this.group::moveIsOverdue);
		while (true) {
			List<QueueShard> shards = this.group.ofIdFirst(id);
			Optional<QueueShard> holder = holder(shards, id);
			if (holder.isEmpty() && !isMoving(shards, id)) {
				// it may have arrived in between
				return holder(shards, id).orElse(shards.get(0));
			}
			if (holder.isPresent()) {
				return holder.get();
			}
			wait.rest(() -> new ConcurrencyFailureException(
					"The job %d is being moved to another shard. Try again".formatted(id)));
		}
	}

	private static Optional<QueueShard> holder(List<QueueShard> shards, long id) {
		return shards.stream().filter((shard) -> shard.queue().find(id).isPresent()).findFirst();
	}

	private static boolean isMoving(List<QueueShard> shards, long id) {
		return shards.stream().anyMatch((shard) -> shard.handovers().contain(id));
	}

}

package io.rowqueue.shard;

import java.util.List;
import java.util.Optional;

import io.rowqueue.JobQueue;

/**
 * The shards of the queue, in an application that has several. The {@link JobQueue} of
 * the application knows all of them; the beans of the administration know the home shard
 * only, and {@link #admin(String)} has those of each shard.
 *
 * @since 0.1.0
 */
public interface Shards {

	/**
	 * Returns all shards that this process knows.
	 * @return the shards, by number; one that has never been available to this process
	 * has no number yet, and is missing
	 */
	List<Shard> list();

	/**
	 * Returns the shard that enqueued a job, flow or batch.
	 * @param id the id of the job, flow or batch
	 * @return the shard; empty if this process does not know it
	 */
	Optional<Shard> of(long id);

	/**
	 * Returns the shard that has a job, which may have been moved since it was enqueued.
	 * While it is being moved, waits for it.
	 * @param jobId the id of the job
	 * @return the shard; empty if none that this process knows has the job
	 * @throws org.springframework.dao.DataAccessResourceFailureException if none has it,
	 * and the one that gave its id has not been available to this process yet
	 * @throws org.springframework.dao.ConcurrencyFailureException if it is still being
	 * moved after 10 seconds
	 */
	Optional<Shard> holding(long jobId);

	/**
	 * Returns the shard that has the job of a unique key. While it is being moved, waits
	 * for it.
	 * @param uniqueKey the unique key of a job that has not finished
	 * @return the shard; empty if none that this process knows has such a job
	 * @throws org.springframework.dao.ConcurrencyFailureException if it is still being
	 * moved after 10 seconds
	 */
	Optional<Shard> holding(String uniqueKey);

	/**
	 * Returns the queue of one shard: whatever is enqueued with it is stored there.
	 * @param shard the name of the shard
	 * @return its queue
	 * @throws org.springframework.dao.DataAccessResourceFailureException if there is no
	 * such shard, or it has not been available to this process yet
	 */
	JobQueue queue(String shard);

	/**
	 * Returns the administration of one shard.
	 * @param shard the name of the shard
	 * @return its administration
	 * @throws org.springframework.dao.DataAccessResourceFailureException if there is no
	 * such shard, or it has not been available to this process yet
	 */
	ShardAdmin admin(String shard);

	/**
	 * Moves buckets of keys, with their waiting jobs, while jobs are enqueued and run. A
	 * bucket that has a running job, or a job of a flow or batch, or that a transaction
	 * uses at the moment, is left out.
	 * @param from the name of the shard that owns them
	 * @param to the name of the shard that gets them
	 * @param buckets how many to move at most
	 * @return how many were moved
	 * @throws org.springframework.dao.DataAccessResourceFailureException if one of them
	 * is not available; what was moved before stays moved
	 * @throws io.rowqueue.JobQueueException if the tables of the two have different
	 * versions
	 * @throws IllegalArgumentException if both are the same shard
	 */
	int move(String from, String to, int buckets);

	/**
	 * Gives each shard that is available the same number of buckets, as far as they can
	 * be moved now.
	 * @return how many were moved
	 */
	int balance();

	/**
	 * Moves all buckets of a shard, and its waiting jobs without keys, to the other
	 * shards that are available. Jobs of flows and batches end where they are. Enqueue no
	 * more jobs there meanwhile.
	 * @param shard the name of the shard
	 * @return how many buckets were moved; call it again until {@link Shard#buckets()} is
	 * 0
	 */
	int empty(String shard);

	/**
	 * Looks for shards that were added or removed, which happens every 30 seconds anyway.
	 * Returns at once.
	 */
	void refresh();

}

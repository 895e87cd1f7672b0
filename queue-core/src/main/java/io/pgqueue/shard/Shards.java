package io.pgqueue.shard;

import java.util.List;
import java.util.Optional;

import io.pgqueue.JobQueue;
import io.pgqueue.admin.JobAdmin;
import io.pgqueue.admin.QueueOverview;

/**
 * The shards of the queue, in an application that has several. {@link JobQueue},
 * {@link JobAdmin} and {@link QueueOverview} know all of them; here each can be used
 * alone.
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
	JobAdmin admin(String shard);

	/**
	 * Looks for shards that were added or removed, which happens every 30 seconds anyway.
	 * Returns at once.
	 */
	void refresh();

}

package io.rowqueue.shard;

/**
 * What a database of the queue is for.
 *
 * @see ShardSource
 */
public enum ShardRole {

	/** Jobs are enqueued and run there. */
	QUEUE,

	/** Jobs are enqueued there, and handed over to other shards, where they run. */
	OUTBOX

}

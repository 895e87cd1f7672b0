package io.pgqueue.engine.shard;

/** What a shard is for. */
public enum ShardRole {

	/** Jobs are enqueued and run there. */
	QUEUE,

	/** Jobs are enqueued there, and handed over to other shards, where they run. */
	OUTBOX

}

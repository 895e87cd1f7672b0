package io.rowqueue.kafka;

/** The kind of group that the workers of a type form at the broker. */
public enum GroupType {

	/**
	 * The kind that the group has, if it exists. Otherwise a share group if the broker
	 * keeps records that were delivered too often ({@code share.version} 2, Kafka 4.4),
	 * else a consumer group.
	 */
	AUTO,

	/**
	 * A share group: all workers receive from all partitions, and the broker counts
	 * deliveries.
	 */
	SHARE,

	/** A consumer group: each partition belongs to one worker process at a time. */
	CONSUMER

}

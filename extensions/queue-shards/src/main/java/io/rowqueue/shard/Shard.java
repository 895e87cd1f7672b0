package io.rowqueue.shard;

/**
 * A database of the queue.
 *
 * @param name its name
 * @param number its number: the remainder of the ids of its jobs modulo
 * {@value #MAX_SHARDS}
 * @param home whether it is the home shard, which has the recurring jobs and all keys
 * that were not moved
 * @param available whether this process can use it now
 * @param buckets how many of the {@value #BUCKETS} buckets of keys it owns
 * @since 0.1.0
 */
public record Shard(String name, int number, boolean home, boolean available, int buckets) {

	/** The number of buckets that keys are divided into. */
	public static final int BUCKETS = 4096;

	/** Numbers of shards are smaller. */
	public static final int MAX_SHARDS = 1024;

	/** The name of the home shard, unless the application names it. */
	public static final String HOME = "home";

}

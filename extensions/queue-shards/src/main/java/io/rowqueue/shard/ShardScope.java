package io.rowqueue.shard;

import io.rowqueue.listen.AttemptScope;

/**
 * Surrounds each attempt of a job with the context of its shard, such as the tenant that
 * an {@code AbstractRoutingDataSource} looks up. It is opened before the transaction of a
 * transactional handler begins. Declare it as a bean.
 *
 * @since 0.1.0
 */
@FunctionalInterface
public interface ShardScope {

	/**
	 * Called in the thread of the attempt before it begins. An exception fails the
	 * attempt.
	 * @param shard the name of the shard
	 * @return a handle that the same thread closes when the attempt ends
	 */
	AttemptScope.Opened open(String shard);

}

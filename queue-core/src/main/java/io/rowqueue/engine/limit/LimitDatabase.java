package io.rowqueue.engine.limit;

import io.rowqueue.engine.database.QueueDatabase;

/**
 * What the administration of limits reads and changes.
 *
 * @param limits the limits
 * @param holds what is held for some time
 * @param weights the weights of fairness keys
 */
public record LimitDatabase(LimitStore limits, HoldStore holds, WeightStore weights) {

	/**
	 * Creates the stores.
	 * @param database runs each statement in a separate transaction
	 */
	public LimitDatabase(QueueDatabase database) {
		this(new LimitStore(database), new HoldStore(database), new WeightStore(database));
	}

}

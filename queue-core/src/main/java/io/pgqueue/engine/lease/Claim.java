package io.pgqueue.engine.lease;

import java.util.List;
import java.util.Map;

/**
 * What a worker asks for.
 *
 * @param workerId the worker that will hold the leases
 * @param room how many more jobs it can take, by pool
 * @param lanes which lanes it reads, the most urgent first; only types that it can run
 * @param untouched whether only jobs that no other transaction has locked since they were
 * queued: to pass over one that another claim has just locked is much cheaper than to ask
 * whether it still is
 * @param over claims of this worker of which it holds no job any more: they are dropped
 */
public record Claim(long workerId, Map<String, Integer> room, List<PoolLane> lanes, boolean untouched,
		List<Long> over) {

	/** A claim of any jobs that are not locked. */
	public Claim(long workerId, Map<String, Integer> room, List<PoolLane> lanes) {
		this(workerId, room, lanes, false, List.of());
	}

	/** The same claim of untouched jobs alone. */
	public Claim ofUntouched() {
		return new Claim(this.workerId, this.room, this.lanes, true, this.over);
	}

	/** The same claim, which drops these. */
	public Claim dropping(List<Long> over) {
		return new Claim(this.workerId, this.room, this.lanes, this.untouched, over);
	}

	/**
	 * A lane and the pool of slots that its jobs run in.
	 *
	 * @param pool the pool
	 * @param head the lane and where it begins
	 * @param most how many jobs it may give at most
	 */
	public record PoolLane(String pool, LaneHead head, int most) {

		/** A lane that may give as many jobs as its pool can take. */
		public PoolLane(String pool, LaneHead head) {
			this(pool, head, Integer.MAX_VALUE);
		}

	}

}

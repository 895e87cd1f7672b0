package io.rowqueue.engine.lease;

import java.util.List;
import java.util.Map;

/**
 * The request of a worker for jobs.
 *
 * @param workerId the id of the worker that will hold the leases
 * @param room how many more jobs it can take, by pool
 * @param lanes the lanes to read, the most urgent first; only of types that it can run
 * @param untouched whether to claim only jobs that no other transaction has locked since
 * they were queued: skipping a job that another claim has just locked is much cheaper
 * than checking whether it is still locked
 * @param over claims of this worker none of whose jobs it still holds; they are deleted
 */
public record Claim(long workerId, Map<String, Integer> room, List<PoolLane> lanes, boolean untouched,
		List<Long> over) {

	/** Creates a claim of any jobs that are not locked. */
	public Claim(long workerId, Map<String, Integer> room, List<PoolLane> lanes) {
		this(workerId, room, lanes, false, List.of());
	}

	/** Returns the same claim, restricted to untouched jobs. */
	public Claim ofUntouched() {
		return new Claim(this.workerId, this.room, this.lanes, true, this.over);
	}

	/** Returns the same claim, which deletes the given claims. */
	public Claim dropping(List<Long> over) {
		return new Claim(this.workerId, this.room, this.lanes, this.untouched, over);
	}

	/**
	 * A lane, and the pool of slots in which its jobs run.
	 *
	 * @param pool the pool
	 * @param head the lane and where it begins
	 * @param maxJobs the maximum number of jobs to claim from the lane
	 */
	public record PoolLane(String pool, LaneHead head, int maxJobs) {

		/** Creates a lane without a maximum of its own. */
		public PoolLane(String pool, LaneHead head) {
			this(pool, head, Integer.MAX_VALUE);
		}

	}

}

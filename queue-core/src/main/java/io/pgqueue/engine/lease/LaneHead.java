package io.pgqueue.engine.lease;

import io.pgqueue.engine.database.PostgresTime;

/**
 * Where the claim of a lane begins. Everything before the mark was finished when the lane
 * was swept; without the mark a claim would walk over the dead index entries of all jobs
 * that ended since the oldest open transaction of the server began.
 *
 * @param lane the lane
 * @param mark the low-water mark, a timestamp as PostgreSQL writes it
 * @param urgency the lane's priority, and what its first job has gained by waiting
 */
public record LaneHead(Lane lane, String mark, int urgency) {

	/** The mark of a lane that was never swept. */
	public static final String NO_MARK = "-infinity";

	/** The same lane, from a mark on that is counted as in {@link PostgresTime}. */
	public LaneHead at(long micros) {
		return new LaneHead(this.lane, PostgresTime.instant(micros).toString(), this.urgency);
	}

	/** One that has gained nothing. */
	public LaneHead(Lane lane, String mark) {
		this(lane, mark, lane.priority());
	}

}

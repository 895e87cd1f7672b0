package io.rowqueue.engine.lease;

import io.rowqueue.engine.database.PostgresTime;

/**
 * The position at which a claim begins to read a lane. All jobs before the mark had ended
 * when the lane was swept. Without the mark, a claim would read the dead index entries of
 * all jobs that have ended since the oldest open transaction of the server began.
 *
 * @param lane the lane
 * @param mark the low-water mark, a timestamp in PostgreSQL's format
 * @param urgency the priority of the lane, plus what its first job has gained by waiting
 */
public record LaneHead(Lane lane, String mark, int urgency) {

	/** The mark of a lane that was never swept. */
	public static final String NO_MARK = "-infinity";

	/** Returns the same lane with another mark, in the unit of {@link PostgresTime}. */
	public LaneHead at(long micros) {
		return new LaneHead(this.lane, PostgresTime.instant(micros).toString(), this.urgency);
	}

	/** Creates a lane whose first job has gained nothing by waiting. */
	public LaneHead(Lane lane, String mark) {
		this(lane, mark, lane.priority());
	}

}

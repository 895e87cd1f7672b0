package io.rowqueue.admin;

import java.time.Duration;

/**
 * A lane with queued jobs.
 *
 * @param queue the queue
 * @param type the type
 * @param priority the priority
 * @param age the time since the first job of the lane was due
 * @param tolerance how long that job may have been due, or zero if it has no tolerance
 * @param firstJob the id of that job
 * @param workers how many live workers claim jobs of the lane
 */
public record LaneView(String queue, String type, int priority, Duration age, Duration tolerance, long firstJob,
		int workers) {

}

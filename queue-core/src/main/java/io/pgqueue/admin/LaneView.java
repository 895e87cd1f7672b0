package io.pgqueue.admin;

import java.time.Duration;

/**
 * A lane that has queued jobs.
 *
 * @param queue the queue
 * @param type the type
 * @param priority the priority
 * @param age how long its first job has been due
 * @param firstJob the id of that job
 * @param workers how many living workers read it
 */
public record LaneView(String queue, String type, int priority, Duration age, long firstJob, int workers) {

}

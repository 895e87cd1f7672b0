package io.rowqueue.admin;

import java.time.Duration;

/**
 * A running job.
 *
 * @param jobId the id of the job
 * @param queue the queue of the job
 * @param type the type of the job
 * @param attempt the number of the attempt, starting with 1
 * @param age the time since its worker claimed it
 * @param workerId the id of that worker
 * @param cancelRequested whether the worker was requested to stop it
 */
public record RunningView(long jobId, String queue, String type, int attempt, Duration age, long workerId,
		boolean cancelRequested) {

}

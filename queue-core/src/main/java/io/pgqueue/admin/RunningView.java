package io.pgqueue.admin;

import java.time.Duration;

/**
 * A job that runs, as operators see it.
 *
 * @param jobId the job
 * @param queue its queue
 * @param type its type
 * @param attempt the number of the attempt
 * @param age how long ago its worker claimed it
 * @param workerId who runs it
 * @param cancelRequested whether its worker was asked to stop it
 */
public record RunningView(long jobId, String queue, String type, int attempt, Duration age, long workerId,
		boolean cancelRequested) {

}

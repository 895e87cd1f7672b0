package io.pgqueue.autoconfigure.measurement;

import java.time.Duration;

/**
 * When the queue is not well, as the properties {@code pgqueue.health} say.
 *
 * @param oldestAge how long a job may have been due before its queue is reported
 * @param stuckJobs how many jobs held by dead workers are reported
 * @param horizonAge how many transactions may begin while somebody keeps dead rows from
 * being removed
 * @since 0.1.0
 */
public record HealthThresholds(Duration oldestAge, long stuckJobs, long horizonAge) {

}

package io.rowqueue.monitoring.autoconfigure.measurement;

import java.time.Duration;

/**
 * The thresholds of {@code rowqueue.health}, beyond which the queue reports a problem.
 *
 * @param oldestAge how long a job may have been due before its queue is reported
 * @param stuckJobs the number of jobs held by dead workers from which they are reported
 * @param horizonAge the number of transactions during which a session may prevent the
 * removal of dead rows
 * @since 0.1.0
 */
public record HealthThresholds(Duration oldestAge, long stuckJobs, long horizonAge) {

}

package io.rowqueue.engine.lease;

import java.time.Duration;
import java.time.Instant;

import org.jspecify.annotations.Nullable;

/**
 * The end of an attempt whose handler has postponed the job.
 *
 * @param lease the lease under which it ran
 * @param delay the delay, or {@code null} if {@code until} is given
 * @param until the due time, or {@code null} if {@code delay} is given
 */
public record Snooze(Lease lease, @Nullable Duration delay, @Nullable Instant until) {

}

package io.pgqueue.engine.lease;

import java.time.Duration;
import java.time.Instant;

import org.jspecify.annotations.Nullable;

/**
 * An attempt that does not count, and when the next one is due.
 *
 * @param lease the lease under which it ran
 * @param delay the pause, or {@code null} if {@code until} is given
 * @param until the time, or {@code null} if {@code delay} is given
 */
public record Snooze(Lease lease, @Nullable Duration delay, @Nullable Instant until) {

}

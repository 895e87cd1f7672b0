package io.pgqueue.engine.lease;

import java.time.Duration;

import org.jspecify.annotations.Nullable;

/**
 * A failed attempt.
 *
 * @param lease the lease under which it ran
 * @param error what went wrong
 * @param retryAfter the pause before the next attempt; {@code null}: there is none, the
 * job is failed
 */
public record Failure(Lease lease, String error, @Nullable Duration retryAfter) {

}

package io.pgqueue;

import java.time.Instant;

import org.jspecify.annotations.Nullable;

/**
 * One attempt of a job that failed. All times are the database's.
 *
 * @param attempt the number of the attempt; 1 is the first
 * @param startedAt when it was claimed
 * @param failedAt when it failed
 * @param workerId the worker that ran it
 * @param error what went wrong, with its stack trace
 * @since 0.1.0
 */
public record FailedAttempt(int attempt, @Nullable Instant startedAt, Instant failedAt, @Nullable Long workerId,
		String error) {

}

package io.rowqueue.admin;

import java.time.Instant;

import org.jspecify.annotations.Nullable;

/**
 * A failed attempt of a job. All times are those of the database's clock.
 *
 * @param attempt the number of the attempt, starting with 1
 * @param startedAt when the job was claimed for it, or {@code null} if that is not known
 * @param failedAt when it failed
 * @param workerId the id of the worker that ran it, or {@code null} if that is not known
 * @param error the error with its stack trace
 * @since 0.1.0
 */
public record FailedAttempt(int attempt, @Nullable Instant startedAt, Instant failedAt, @Nullable Long workerId,
		String error) {

}

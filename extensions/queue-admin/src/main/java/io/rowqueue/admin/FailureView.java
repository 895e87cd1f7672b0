package io.rowqueue.admin;

import java.time.Instant;

import org.jspecify.annotations.Nullable;

/**
 * A failed attempt.
 *
 * @param jobId the id of the job
 * @param queue the queue of the job, or {@code null} if the job is no longer retained
 * @param type the type of the job, or {@code null} if the job is no longer retained
 * @param state the current state of the job, or {@code null} if it is no longer retained
 * @param attempt the number of the attempt, starting with 1
 * @param startedAt when the job was claimed for it, or {@code null} if that is not known
 * @param failedAt when it failed, by the database's clock
 * @param workerId the id of the worker that ran it, or {@code null} if that is not known
 * @param error the error with its stack trace
 */
public record FailureView(long jobId, @Nullable String queue, @Nullable String type, @Nullable String state,
		int attempt, @Nullable Instant startedAt, Instant failedAt, @Nullable Long workerId, String error) {

}

package io.pgqueue.admin;

import java.time.Instant;

import org.jspecify.annotations.Nullable;

/**
 * An attempt that failed.
 *
 * @param jobId the job
 * @param queue its queue; {@code null}: nothing of the job is kept
 * @param type its type, likewise
 * @param state where it is now, likewise
 * @param attempt the number of the attempt; 1 is the first
 * @param startedAt when it was claimed, or {@code null}
 * @param failedAt when, by the database's clock
 * @param workerId the worker that ran it, or {@code null}
 * @param error what went wrong, with its stack trace
 */
public record FailureView(long jobId, @Nullable String queue, @Nullable String type, @Nullable String state,
		int attempt, @Nullable Instant startedAt, Instant failedAt, @Nullable Long workerId, String error) {

}

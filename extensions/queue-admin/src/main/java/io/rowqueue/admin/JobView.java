package io.rowqueue.admin;

import java.time.Instant;

import org.jspecify.annotations.Nullable;

/**
 * A job in a list.
 *
 * @param id the id
 * @param queue the queue
 * @param type the type
 * @param state the label of the {@link io.rowqueue.JobState}, or {@code stuck} if the
 * worker that holds the job is dead
 * @param priority the priority; jobs with a higher number start first
 * @param attempt how many attempts have started
 * @param maxAttempts the maximum number of attempts, or {@code null} if the request does
 * not set it and no live worker runs the type
 * @param createdAt when the job was enqueued, by the database's clock
 * @param runAt when the job is or was due
 * @param startedAt when the job was claimed for its latest attempt, or {@code null}
 * @param finishedAt when the job succeeded, failed or was cancelled, or {@code null}; of
 * a failed one, {@code null} also if its failures are no longer kept or it failed because
 * of another job
 * @param workerId the worker that holds the job or ran it last, or {@code null}
 * @param cancelRequested whether the worker was requested to stop the job
 * @param batchId the batch, or {@code null}; not kept for finished jobs
 * @param uniqueKey the unique key, or {@code null}
 * @param limitKey the limit key, or {@code null}; not kept for finished jobs
 * @param error the first line of the latest error, at most 300 characters, or
 * {@code null}
 * @param payload the payload as it is stored, or {@code null}; also {@code null} if it is
 * longer than 4,000 characters, or so large that PostgreSQL stores it outside of the row
 */
public record JobView(long id, String queue, String type, String state, int priority, int attempt,
		@Nullable Integer maxAttempts, Instant createdAt, Instant runAt, @Nullable Instant startedAt,
		@Nullable Instant finishedAt, @Nullable Long workerId, boolean cancelRequested, @Nullable Long batchId,
		@Nullable String uniqueKey, @Nullable String limitKey, @Nullable String error, @Nullable String payload) {
}

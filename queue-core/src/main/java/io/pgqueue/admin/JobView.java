package io.pgqueue.admin;

import java.time.Instant;

import org.jspecify.annotations.Nullable;

/**
 * A job in a list.
 *
 * @param id the id
 * @param queue the queue
 * @param type the type
 * @param state the label of the {@link io.pgqueue.JobState}
 * @param priority the priority; jobs with a higher number start first
 * @param attempt how many attempts have started
 * @param maxAttempts the maximum number of attempts, or {@code null} if the request does
 * not set it and no live worker runs the type
 * @param createdAt when the job was enqueued, by the database's clock
 * @param runAt when the job is or was due
 * @param startedAt when the job was claimed for its latest attempt, or {@code null}
 */
public record JobView(long id, String queue, String type, String state, int priority, int attempt,
		@Nullable Integer maxAttempts, Instant createdAt, Instant runAt, @Nullable Instant startedAt) {
}

package io.pgqueue.admin;

import java.time.Instant;

import org.jspecify.annotations.Nullable;

/**
 * A job in a list.
 *
 * @param id its id
 * @param queue its queue
 * @param type its type
 * @param state the label of its {@link io.pgqueue.JobState}
 * @param priority a bigger number goes first
 * @param attempt how many attempts have begun
 * @param maxAttempts how many there are at most; {@code null}: its request does not say,
 * and no living worker runs its type
 * @param createdAt when it was enqueued, by the database's clock
 * @param runAt when it is or was due
 * @param startedAt when the latest attempt was claimed, or {@code null}
 */
public record JobView(long id, String queue, String type, String state, int priority, int attempt,
		@Nullable Integer maxAttempts, Instant createdAt, Instant runAt, @Nullable Instant startedAt) {
}

package io.pgqueue.transport;

import java.util.Objects;

import org.jspecify.annotations.Nullable;

/**
 * A job as a broker carries it: plain, due at once, and complete.
 *
 * @param id the id of the job, unique in its database
 * @param type the type of the job
 * @param queue the queue of the job
 * @param createdAt when the job was enqueued, in microseconds since 1970 by the clock of
 * the database
 * @param maxAttempts how often the job runs at most; {@code null}: the default of its
 * type
 * @param payload the payload as JSON; {@code null}: the job has none
 * @param headers the headers as JSON; {@code null}: the job has none
 */
public record JobMessage(long id, String type, String queue, long createdAt, @Nullable Integer maxAttempts,
		@Nullable String payload, @Nullable String headers) {

	public JobMessage {
		Objects.requireNonNull(type, "type");
		Objects.requireNonNull(queue, "queue");
	}

}

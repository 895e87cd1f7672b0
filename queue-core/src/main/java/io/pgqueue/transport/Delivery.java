package io.pgqueue.transport;

import java.util.Objects;

/**
 * One delivery of a message to this process.
 *
 * @param message the job
 * @param count 1 for the first delivery as far as the broker remembers; more if another
 * consumer may have started the job
 * @param exclusiveUntil the {@link System#nanoTime()} until which no other consumer can
 * get the message; {@link Long#MAX_VALUE} if only {@link JobConsumer#isRevoked} says it
 * @param handle what the consumer needs to acknowledge the delivery
 */
public record Delivery(JobMessage message, int count, long exclusiveUntil, Object handle) {

	public Delivery {
		Objects.requireNonNull(message, "message");
		Objects.requireNonNull(handle, "handle");
	}

}

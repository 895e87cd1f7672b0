package io.rowqueue.testing;

import java.time.Instant;

import io.rowqueue.JobContext;
import io.rowqueue.StopReason;
import org.jspecify.annotations.Nullable;

/** The context of an attempt that no worker makes. */
public record TestJobContext(long id, String type, String queue, int attempt, int maxAttempts, Instant createdAt,
		Instant runAt, int leaseToken, @Nullable StopReason stopReason) implements JobContext {

	@Override
	public void progress(long done, long total, @Nullable String message) {
	}

	/** A first attempt. */
	public static JobContext create() {
		return attempt(1);
	}

	public static JobContext attempt(int number) {
		return new TestJobContext(1, "mail", "default", number, 10, Instant.EPOCH, Instant.EPOCH, 1, null);
	}

}

package io.pgqueue.handler;

import java.time.Instant;

import io.pgqueue.JobContext;

/** The context of a first attempt. */
record TestJobContext(long id, String type, String queue, int attempt, int maxAttempts, Instant createdAt,
		Instant runAt, int leaseToken, boolean stopRequested) implements JobContext {

	@Override
	public void progress(long done, long total, String message) {
	}

	static JobContext create() {
		return new TestJobContext(1, "mail", "default", 1, 5, Instant.EPOCH, Instant.EPOCH, 1, false);
	}

}

package io.rowqueue.flow;

import java.time.Instant;

import org.jspecify.annotations.Nullable;

/**
 * The progress of a batch. Reading it costs the same for any number of jobs.
 *
 * @param id the id of the batch
 * @param name the name of the batch
 * @param createdAt when the batch was enqueued, by the database's clock
 * @param closedAt when the batch was closed, or {@code null} if it is still open for jobs
 * from outside
 * @param finishedAt when the batch finished, or {@code null}
 * @param total the number of jobs
 * @param succeeded how many have succeeded
 * @param failed how many have failed permanently and were not retried
 * @param cancelled how many were cancelled
 * @since 0.1.0
 */
public record BatchProgress(long id, String name, Instant createdAt, @Nullable Instant closedAt,
		@Nullable Instant finishedAt, long total, long succeeded, long failed, long cancelled) {

	/**
	 * Returns how many jobs have not finished.
	 * @return at least 0
	 */
	public long pending() {
		return this.total - this.succeeded - this.failed - this.cancelled;
	}

	/**
	 * Returns whether the batch has finished. Jobs that were retried afterwards may still
	 * run.
	 * @return whether the end of the batch was detected
	 */
	public boolean isFinished() {
		return this.finishedAt != null;
	}

}

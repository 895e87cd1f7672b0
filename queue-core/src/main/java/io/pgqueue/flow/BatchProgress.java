package io.pgqueue.flow;

import java.time.Instant;

import org.jspecify.annotations.Nullable;

/**
 * How far a batch is. Reading it costs the same whatever the number of jobs.
 *
 * @param id the id of the batch
 * @param name its name
 * @param createdAt when it was enqueued, by the database's clock
 * @param closedAt since when it is over as soon as its jobs are; {@code null}: open
 * @param finishedAt when it was over, or {@code null}
 * @param total how many jobs it has
 * @param succeeded how many have succeeded
 * @param failed how many have failed for good and were not retried
 * @param cancelled how many were cancelled
 * @since 0.1.0
 */
public record BatchProgress(long id, String name, Instant createdAt, @Nullable Instant closedAt,
		@Nullable Instant finishedAt, long total, long succeeded, long failed, long cancelled) {

	/**
	 * How many jobs are not over.
	 * @return 0 or more
	 */
	public long pending() {
		return this.total - this.succeeded - this.failed - this.cancelled;
	}

	/**
	 * Whether the batch is over. Jobs that were retried since then may still run.
	 * @return whether it was decided
	 */
	public boolean isOver() {
		return this.finishedAt != null;
	}

}

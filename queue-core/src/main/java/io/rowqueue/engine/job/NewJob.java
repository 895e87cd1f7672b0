package io.rowqueue.engine.job;

import io.rowqueue.DuplicatePolicy;
import io.rowqueue.JobRequest;
import io.rowqueue.UniqueKey;
import org.jspecify.annotations.Nullable;

/**
 * A job to store.
 *
 * @param request the request
 * @param payload the payload of the request as JSON, or {@code null}
 * @param merge merges the payloads; {@code null} for any policy but
 * {@link io.rowqueue.DuplicatePolicy.Merge}
 * @param headers the headers as JSON, or {@code null}
 * @param onFailure the job to store if this one fails permanently, or {@code null}
 */
public record NewJob(JobRequest request, @Nullable String payload, @Nullable PayloadMerge merge,
		@Nullable String headers, @Nullable NewJob onFailure) {

	/**
	 * Returns whether the job depends on nothing but its due time: it has no unique key,
	 * limit key or predecessors, and no {@linkplain #hasLabels() labels}.
	 */
	public boolean isPlain() {
		return this.request.unique() == null && this.request.limitKey() == null && !hasPredecessors() && !hasLabels();
	}

	/** Returns whether the job runs after others, which must exist. */
	public boolean hasPredecessors() {
		return !this.request.predecessors().ids().isEmpty();
	}

	/**
	 * Returns whether the enqueue throws an exception because of the job that has the
	 * unique key, or may do so.
	 */
	public boolean isDecidedByKey() {
		UniqueKey key = this.request.unique();
		return this.merge != null || (key != null && key.duplicates() instanceof DuplicatePolicy.Reject);
	}

	/** Returns the job as it is stored until another one fails permanently: as JSON. */
	public String forFailure() {
		return NewJobColumn.onFailure(this);
	}

	/**
	 * Returns whether the job has tags, headers of its own, an expiry, or a job to store
	 * if it fails.
	 */
	public boolean hasLabels() {
		return this.onFailure != null || this.request.expiresAt() != null || !this.request.tags().isEmpty()
				|| !this.request.headers().isEmpty();
	}

	/** Merges two payloads; both are JSON, or {@code null} for none. */
	@FunctionalInterface
	public interface PayloadMerge {

		/** Returns the merged payload. */
		@Nullable String merge(@Nullable String existing, @Nullable String added);

	}

}

package io.rowqueue.step;

import io.rowqueue.JobState;
import org.jspecify.annotations.Nullable;

/**
 * What has become of a job that the handler of another one has waited for, see
 * {@link JobSteps#awaitJobs(String, java.time.Duration, long...)}.
 *
 * @param id the id of the job
 * @param state how it ended, or its state when the time of the wait had passed;
 * {@code null} if there is no such job any more, because it ended so long ago that it is
 * no longer retained, was erased, or its enqueue was rolled back
 * @param error the error with which it failed, or the reason of its cancellation, at most
 * {@value #MAX_ERROR} characters; {@code null} if there is none
 * @since 0.1.0
 */
public record JobOutcome(long id, @Nullable JobState state, @Nullable String error) {

	/** The number of characters after which an error is truncated. */
	public static final int MAX_ERROR = 200;

	/**
	 * Returns whether the job has ended: it succeeded, failed permanently or was
	 * cancelled, or does not exist any more.
	 */
	public boolean hasEnded() {
		return this.state == null || this.state.isFinished();
	}

	/** Returns whether the job has succeeded. */
	public boolean hasSucceeded() {
		return this.state == JobState.SUCCEEDED;
	}

}

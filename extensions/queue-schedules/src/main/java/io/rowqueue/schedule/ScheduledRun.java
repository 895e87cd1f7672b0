package io.rowqueue.schedule;

import java.time.Duration;
import java.time.Instant;
import java.util.Locale;

import io.rowqueue.JobState;
import org.jspecify.annotations.Nullable;

/**
 * A job that a schedule has enqueued.
 *
 * @param jobId the id of the job
 * @param dueAt the due time
 * @param enqueuedAt when the job was enqueued
 * @param origin why the job was enqueued
 * @param state the state of the job, or {@code null} if the job is no longer retained
 * @param attempt the number of attempts that have started
 * @param startedAt when the latest attempt was claimed, or {@code null}
 * @param finishedAt when the job finished, or {@code null}
 * @since 0.1.0
 */
public record ScheduledRun(long jobId, Instant dueAt, Instant enqueuedAt, Origin origin, @Nullable JobState state,
		int attempt, @Nullable Instant startedAt, @Nullable Instant finishedAt) {

	/**
	 * Returns how long the latest attempt took.
	 * @return the duration, or {@code null} if the job has not finished, or was not
	 * claimed
	 */
	public @Nullable Duration duration() {
		return (this.startedAt != null && this.finishedAt != null) ? Duration.between(this.startedAt, this.finishedAt)
				: null;
	}

	/** Why a schedule has enqueued a job. */
	public enum Origin {

		/** The schedule was due. */
		DUE,

		/** {@link Schedules#trigger}. */
		TRIGGERED,

		/** {@link Schedules#backfill}. */
		BACKFILL;

		/** Returns the name of the origin in the database. */
		public String label() {
			return name().toLowerCase(Locale.ROOT);
		}

	}

}

package io.pgqueue.schedule;

import java.time.Duration;
import java.time.Instant;

import org.jspecify.annotations.Nullable;

/**
 * A recurring job as it is now. All times are the database's.
 *
 * @param name its name
 * @param state whether it is enqueued when it is due
 * @param rhythm when it is due
 * @param type the type of its jobs
 * @param queue their queue
 * @param priority their priority
 * @param tolerance how long they may wait once they are due
 * @param maxAttempts how often they are tried; {@code null}: the worker's default
 * @param limitKey their limit key, or {@code null}
 * @param payload their payload as JSON, or {@code null}
 * @param missed what becomes of due times that passed while nobody was there
 * @param overlap what becomes of a due time while the job before it is not over
 * @param jitter by how much its jobs are put off at most
 * @param source where it was written down
 * @param nextRunAt when it is due next; {@code null}: never again
 * @param lastDueAt the due time of its latest job, or {@code null}
 * @param lastRunAt when that was enqueued
 * @param lastJobId the id of that
 * @param lastSkippedAt when the overlap policy last skipped a due time, or {@code null}
 * @param pausedAt since when it is paused, or {@code null}
 * @param pauseReason what whoever paused it said, or {@code null}
 * @param undeclaredAt since when no living worker declares it, or {@code null}
 * @since 0.1.0
 */
public record ScheduleStatus(String name, State state, Rhythm rhythm, String type, String queue, int priority,
		Duration tolerance, @Nullable Integer maxAttempts, @Nullable String limitKey, @Nullable String payload,
		MissedPolicy missed, OverlapPolicy overlap, Duration jitter, Source source, @Nullable Instant nextRunAt,
		@Nullable Instant lastDueAt, @Nullable Instant lastRunAt, @Nullable Long lastJobId,
		@Nullable Instant lastSkippedAt, @Nullable Instant pausedAt, @Nullable String pauseReason,
		@Nullable Instant undeclaredAt) {

	/** Whether a recurring job is enqueued when it is due. */
	public enum State {

		/** It is. */
		ACTIVE,

		/** Somebody paused it. */
		PAUSED,

		/**
		 * It comes from an annotation or from properties, and no worker that lives has
		 * declared it for a minute: it was removed, or its application is away.
		 */
		DISABLED,

		/** It is never due again. */
		ENDED

	}

	/** Where a recurring job was written down. */
	public enum Source {

		/** {@link RecurringJob}. */
		ANNOTATION,

		/** The properties {@code pgqueue.recurring}. */
		PROPERTIES,

		/** {@link Schedules#put}. */
		CODE

	}

}

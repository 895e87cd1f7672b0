package io.rowqueue.schedule;

import java.time.Duration;
import java.time.Instant;

import io.rowqueue.schedule.Rhythm.Every;
import org.jspecify.annotations.Nullable;

/**
 * A snapshot of a schedule. All times are those of the database's clock.
 *
 * @param name the name
 * @param state whether jobs are enqueued at due times
 * @param occurrences determines when the job is due
 * @param type the type of the jobs
 * @param queue the queue of the jobs
 * @param priority the priority of the jobs
 * @param tolerance how long the jobs may wait once they are due
 * @param maxAttempts the maximum number of attempts, or {@code null} for the worker's
 * default
 * @param limitKey the limit key of the jobs, or {@code null}
 * @param payload the payload of the jobs as JSON, or {@code null}
 * @param missed what happens to missed due times
 * @param overlap what happens at a due time while the previous job has not finished
 * @param jitter the maximum time by which the jobs are postponed
 * @param source where the schedule is defined
 * @param nextRunAt the next due time, or {@code null} if there is none
 * @param lastDueAt the due time of the latest job, or {@code null}
 * @param lastRunAt when the latest job was enqueued, or {@code null}
 * @param lastJobId the id of the latest job, or {@code null}
 * @param lastSkippedAt when the overlap policy last skipped a due time, or {@code null}
 * @param pausedAt when the schedule was paused, or {@code null} if it is not paused
 * @param pauseReason the reason that was given for the pause, or {@code null}
 * @param undeclaredAt when the last live worker that declares the schedule ended, or
 * {@code null} if there is one
 * @since 0.1.0
 */
public record ScheduleStatus(String name, State state, Occurrences occurrences, String type, String queue, int priority,
		Duration tolerance, @Nullable Integer maxAttempts, @Nullable String limitKey, @Nullable String payload,
		MissedPolicy missed, OverlapPolicy overlap, Duration jitter, Source source, @Nullable Instant nextRunAt,
		@Nullable Instant lastDueAt, @Nullable Instant lastRunAt, @Nullable Long lastJobId,
		@Nullable Instant lastSkippedAt, @Nullable Instant pausedAt, @Nullable String pauseReason,
		@Nullable Instant undeclaredAt) {

	/** Returns what determines when the job is due, without its restrictions. */
	public Rhythm rhythm() {
		return this.occurrences.rhythm();
	}

	/**
	 * Returns the first due time after the given time, even if the schedule is paused. An
	 * interval is counted from the next due time that is stored, in both directions.
	 * @param after the given time
	 * @return the due time, or {@code null} if there is none
	 */
	public @Nullable Instant next(Instant after) {
		Instant due = this.nextRunAt;
		if (due != null && rhythm() instanceof Every every && this.occurrences.validity().from() == null) {
			return this.occurrences.next(every.next(due, after).minus(every.interval()));
		}
		return this.occurrences.next(after);
	}

	/** Whether jobs are enqueued at due times. */
	public enum State {

		/** Jobs are enqueued. */
		ACTIVE,

		/** The schedule is paused. */
		PAUSED,

		/**
		 * The schedule is defined by an annotation or by properties, and no live worker
		 * has declared it for a minute: the definition was removed, or the application
		 * does not run.
		 */
		DISABLED,

		/** There is no further due time. */
		ENDED

	}

	/** Where a schedule is defined. */
	public enum Source {

		/** {@link RecurringJob}. */
		ANNOTATION,

		/** The properties {@code rowqueue.recurring}. */
		PROPERTIES,

		/** {@link Schedules#put}. */
		CODE

	}

}

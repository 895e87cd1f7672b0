package io.rowqueue.listen;

import java.time.Duration;
import java.util.Locale;

import org.jspecify.annotations.Nullable;

/**
 * The end of an attempt.
 *
 * @param outcome the outcome
 * @param runTime how long the handler ran
 * @param lifeTime the time since the job was enqueued
 * @param error what the handler threw, or {@code null} if it returned normally
 * @since 0.1.0
 */
public record AttemptEnd(Outcome outcome, Duration runTime, Duration lifeTime, @Nullable Throwable error) {

	/** The outcome of an attempt. */
	public enum Outcome {

		/** The handler returned. */
		SUCCEEDED,

		/** The attempt failed; the job is retried. */
		RETRIED,

		/** The attempt failed, and the job has failed permanently. */
		FAILED,

		/** The handler postponed the job. */
		SNOOZED,

		/** The job was cancelled. */
		CANCELLED,

		/** The worker released the job, for example at a shutdown. */
		RELEASED;

		/**
		 * Returns whether the job has finished and changes only if it is retried
		 * manually.
		 * @return {@code true} if the job succeeded, failed permanently or was cancelled
		 */
		public boolean isFinal() {
			return this == SUCCEEDED || this == FAILED || this == CANCELLED;
		}

		/**
		 * Returns the name of the outcome in meters.
		 * @return the lower-case name
		 */
		public String label() {
			return name().toLowerCase(Locale.ROOT);
		}

	}

}

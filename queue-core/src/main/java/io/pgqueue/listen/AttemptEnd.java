package io.pgqueue.listen;

import java.time.Duration;
import java.util.Locale;

import org.jspecify.annotations.Nullable;

/**
 * What became of an attempt.
 *
 * @param outcome how it ended
 * @param runTime how long its handler ran
 * @param lifeTime how long ago the job was enqueued
 * @param error what the handler threw; {@code null} if it returned
 * @since 0.1.0
 */
public record AttemptEnd(Outcome outcome, Duration runTime, Duration lifeTime, @Nullable Throwable error) {

	/** How an attempt ends. */
	public enum Outcome {

		/** The handler returned. */
		SUCCEEDED,

		/** It failed; the job is tried again. */
		RETRIED,

		/** It failed; the job is failed for good. */
		FAILED,

		/** The handler put the job off. */
		SNOOZED,

		/** The job was taken back. */
		CANCELLED,

		/** A shutdown broke it off: the job goes back to the queue. */
		RELEASED;

		/**
		 * Whether the job is over, unless somebody retries it.
		 * @return true for a job that succeeded, failed for good or was cancelled
		 */
		public boolean isFinal() {
			return this == SUCCEEDED || this == FAILED || this == CANCELLED;
		}

		/**
		 * The outcome as it is written in meters.
		 * @return the lower-case name
		 */
		public String label() {
			return name().toLowerCase(Locale.ROOT);
		}

	}

}

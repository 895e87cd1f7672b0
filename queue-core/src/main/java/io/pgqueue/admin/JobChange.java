package io.pgqueue.admin;

import java.time.Duration;
import java.util.Locale;

import io.pgqueue.JobRequest;
import org.jspecify.annotations.Nullable;

/**
 * What can be done to all jobs that a filter selects.
 *
 * @param kind what is done
 * @param delay with {@link Kind#RESCHEDULE}: the time from the start of the operation until
 * the jobs are due; otherwise {@code null}
 * @param priority with {@link Kind#PRIORITIZE}: the new priority; otherwise {@code null}
 * @since 0.1.0
 */
public record JobChange(Kind kind, @Nullable Duration delay, @Nullable Integer priority) {

	/** Checks the values. */
	public JobChange {
		if ((kind == Kind.RESCHEDULE) != (delay != null) || (kind == Kind.PRIORITIZE) != (priority != null)) {
			throw new IllegalArgumentException("reschedule needs a delay, prioritize a priority, and no other change has one");
		}
		if (delay != null && (delay.isNegative() || delay.compareTo(JobRequest.MAX_DELAY) > 0)) {
			throw new IllegalArgumentException("delay must be from 0 to 365000 days, not " + delay);
		}
		if (priority != null && (priority < Short.MIN_VALUE || priority > Short.MAX_VALUE)) {
			throw new IllegalArgumentException("priority must be from -32768 to 32767, not " + priority);
		}
	}

	/** Retries failed jobs, as {@link JobAdmin#retry} does. */
	public static JobChange retry() {
		return new JobChange(Kind.RETRY, null, null);
	}

	/** Cancels jobs, as {@link JobAdmin#cancel} does. */
	public static JobChange cancel() {
		return new JobChange(Kind.CANCEL, null, null);
	}

	/** Changes the due time of waiting jobs. */
	public static JobChange reschedule(Duration delay) {
		return new JobChange(Kind.RESCHEDULE, delay, null);
	}

	/** Changes the priority of waiting jobs. */
	public static JobChange prioritize(int priority) {
		return new JobChange(Kind.PRIORITIZE, null, priority);
	}

	/** The kinds of changes. */
	public enum Kind {

		/** Failed jobs are queued again. */
		RETRY,

		/** Jobs are cancelled. */
		CANCEL,

		/** Waiting jobs become due at another time. */
		RESCHEDULE,

		/** Waiting jobs get another priority. */
		PRIORITIZE;

		/**
		 * The kind as it is recorded and shown.
		 * @return such as {@code retry}
		 */
		public String label() {
			return name().toLowerCase(Locale.ROOT);
		}

	}

}

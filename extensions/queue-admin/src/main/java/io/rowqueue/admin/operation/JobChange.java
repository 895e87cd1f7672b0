package io.rowqueue.admin.operation;

import java.time.Duration;
import java.util.Locale;

import io.rowqueue.JobRequest;
import io.rowqueue.admin.JobAdmin;
import org.jspecify.annotations.Nullable;

/**
 * What can be done to all jobs that a filter selects.
 *
 * @since 0.1.0
 */
public final class JobChange {

	private final Kind kind;

	private final @Nullable Duration delay;

	private final @Nullable Integer priority;

	private JobChange(Kind kind, @Nullable Duration delay, @Nullable Integer priority) {
		this.kind = kind;
		this.delay = delay;
		this.priority = priority;
	}

	/** Retries failed jobs, as {@link JobAdmin#retry} does. */
	public static JobChange retry() {
		return new JobChange(Kind.RETRY, null, null);
	}

	/** Cancels jobs, as {@link JobAdmin#cancel} does. */
	public static JobChange cancel() {
		return new JobChange(Kind.CANCEL, null, null);
	}

	/**
	 * Changes the due time of waiting jobs.
	 * @param delay the time from the start of the operation until all of them are due, at
	 * most 365000 days
	 */
	public static JobChange reschedule(Duration delay) {
		if (delay.isNegative() || delay.compareTo(JobRequest.MAX_DELAY) > 0) {
			throw new IllegalArgumentException("delay must be from 0 to 365000 days, not " + delay);
		}
		return new JobChange(Kind.RESCHEDULE, delay, null);
	}

	/**
	 * Changes the priority of waiting jobs.
	 * @param priority from -32768 to 32767; jobs with a higher number start first
	 */
	public static JobChange prioritize(int priority) {
		if (priority < Short.MIN_VALUE || priority > Short.MAX_VALUE) {
			throw new IllegalArgumentException("priority must be from -32768 to 32767, not " + priority);
		}
		return new JobChange(Kind.PRIORITIZE, null, priority);
	}

	/**
	 * Erases jobs, as {@link JobAdmin#erase} does. Also jobs that have finished, in an
	 * operation of their own. What the filter looks for is removed from the record when
	 * the operation has ended.
	 */
	public static JobChange erase() {
		return new JobChange(Kind.ERASE, null, null);
	}

	/** Returns what is done. */
	public Kind kind() {
		return this.kind;
	}

	/** Returns the delay of {@link Kind#RESCHEDULE}, otherwise {@code null}. */
	public @Nullable Duration delay() {
		return this.delay;
	}

	/** Returns the priority of {@link Kind#PRIORITIZE}, otherwise {@code null}. */
	public @Nullable Integer priority() {
		return this.priority;
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
		PRIORITIZE,

		/** Jobs are deleted with all their traces. */
		ERASE;

		/**
		 * The kind as it is recorded and shown.
		 * @return such as {@code retry}
		 */
		public String label() {
			return name().toLowerCase(Locale.ROOT);
		}

	}

}

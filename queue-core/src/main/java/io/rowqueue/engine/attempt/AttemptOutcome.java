package io.rowqueue.engine.attempt;

import java.time.Duration;

import io.rowqueue.engine.lease.Failure;
import io.rowqueue.engine.lease.Lease;
import io.rowqueue.engine.lease.Snooze;
import io.rowqueue.engine.signal.Wait;
import io.rowqueue.listen.AttemptEnd;
import org.jspecify.annotations.Nullable;

/** How an attempt ended, to be written to the database. */
public sealed interface AttemptOutcome {

	ActiveJob job();

	default Lease lease() {
		return job().job().lease();
	}

	/** The same for listeners. */
	AttemptEnd.Outcome attemptOutcome();

	/** Whether the job can be claimed at once. */
	default boolean isQueuedAgain() {
		return false;
	}

	/** The handler returned. */
	record Succeeded(ActiveJob job, @Nullable String result) implements AttemptOutcome {

		@Override
		public AttemptEnd.Outcome attemptOutcome() {
			return AttemptEnd.Outcome.SUCCEEDED;
		}

	}

	/** The handler threw. */
	record Failed(ActiveJob job, Failure failure, AttemptEnd end) implements AttemptOutcome {

		/** Whether the job is not tried again. */
		public boolean isForGood() {
			return this.failure.retryAfter() == null;
		}

		@Override
		public AttemptEnd.Outcome attemptOutcome() {
			return this.end.outcome();
		}

		@Override
		public boolean isQueuedAgain() {
			return Duration.ZERO.equals(this.failure.retryAfter()) && this.job.job().limitKey() == null;
		}

	}

	/** The handler put the job off. */
	record Snoozed(ActiveJob job, Snooze snooze, @Nullable HeldJobs held) implements AttemptOutcome {

		@Override
		public AttemptEnd.Outcome attemptOutcome() {
			return AttemptEnd.Outcome.SNOOZED;
		}

		@Override
		public boolean isQueuedAgain() {
			return Duration.ZERO.equals(this.snooze.delay()) && this.job.job().limitKey() == null;
		}

	}

	/** The handler waits for something. */
	record Suspended(ActiveJob job, Wait begun) implements AttemptOutcome {

		@Override
		public AttemptEnd.Outcome attemptOutcome() {
			return AttemptEnd.Outcome.SNOOZED;
		}

	}

	/**
	 * The attempt does not count, through no fault of the handler; the next one waits.
	 */
	record PutBack(ActiveJob job, Snooze snooze) implements AttemptOutcome {

		@Override
		public AttemptEnd.Outcome attemptOutcome() {
			return AttemptEnd.Outcome.RELEASED;
		}

		@Override
		public boolean isQueuedAgain() {
			return Duration.ZERO.equals(this.snooze.delay());
		}

	}

	/**
	 * The job was to be cancelled, and did not succeed before.
	 *
	 * @param reason stored as its error; {@code null}: the latest error remains
	 */
	record Cancelled(ActiveJob job, @Nullable String reason) implements AttemptOutcome {

		public Cancelled(ActiveJob job) {
			this(job, null);
		}

		@Override
		public AttemptEnd.Outcome attemptOutcome() {
			return AttemptEnd.Outcome.CANCELLED;
		}

	}

	/**
	 * The attempt did not take place, or was interrupted: another worker may run the job.
	 */
	record Released(ActiveJob job) implements AttemptOutcome {

		@Override
		public AttemptEnd.Outcome attemptOutcome() {
			return AttemptEnd.Outcome.RELEASED;
		}

		@Override
		public boolean isQueuedAgain() {
			return true;
		}

	}

}

package io.pgqueue.worker;

import java.time.Duration;

import io.pgqueue.store.Failure;
import io.pgqueue.store.Lease;
import io.pgqueue.store.Snooze;
import org.jspecify.annotations.Nullable;

/** What became of an attempt, to be written down. */
sealed interface Outcome {

	ActiveJob job();

	default Lease lease() {
		return job().job().lease();
	}

	/** Whether the job can be claimed at once. */
	default boolean isQueuedAgain() {
		return false;
	}

	/** The handler returned. */
	record Succeeded(ActiveJob job, @Nullable String result) implements Outcome {

		Succeeded(ActiveJob job) {
			this(job, null);
		}

	}

	/** The handler threw. */
	record Failed(ActiveJob job, Failure failure) implements Outcome {

		@Override
		public boolean isQueuedAgain() {
			return Duration.ZERO.equals(this.failure.retryAfter());
		}

	}

	/** The handler put the job off. */
	record Snoozed(ActiveJob job, Snooze snooze) implements Outcome {

		@Override
		public boolean isQueuedAgain() {
			return Duration.ZERO.equals(this.snooze.delay());
		}

	}

	/** The job was to be cancelled, and did not succeed before. */
	record Cancelled(ActiveJob job) implements Outcome {
	}

	/** The attempt did not take place, or was broken off: somebody else may run it. */
	record Released(ActiveJob job) implements Outcome {

		@Override
		public boolean isQueuedAgain() {
			return true;
		}

	}

}

package io.rowqueue.step;

import java.time.Instant;
import java.util.Locale;

import org.jspecify.annotations.Nullable;

/**
 * Something that the handler of a job waits for or has waited for, or a signal that was
 * sent to the job.
 *
 * @param kind what it is
 * @param name the name of the signal, of the sleep, or of the wait for jobs
 * @param state its state
 * @param beganAt when the handler asked for it first, or {@code null} if it has not
 * @param until when the wait ends at the latest, or {@code null} if it has not begun
 * @param sentAt when the signal was sent, or {@code null}
 * @since 0.1.0
 */
public record JobWait(Kind kind, String name, State state, @Nullable Instant beganAt, @Nullable Instant until,
		@Nullable Instant sentAt) {

	/** What a handler waits for. */
	public enum Kind {

		/** A signal, see {@code JobContext.awaitSignal}. */
		SIGNAL,

		/** A time, see {@code JobContext.sleep}. */
		SLEEP,

		/** The ends of other jobs, see {@code JobContext.awaitJobs}. */
		JOBS;

		/**
		 * Returns the label of the kind.
		 * @return a label such as {@code signal}
		 */
		public String label() {
			return name().toLowerCase(Locale.ROOT);
		}

		/**
		 * Finds a kind by its label.
		 * @param label a label such as {@code signal}
		 * @return the kind
		 */
		public static Kind of(String label) {
			return valueOf(label.toUpperCase(Locale.ROOT));
		}

	}

	/** The state of a wait. */
	public enum State {

		/** The handler waits for it, or has not noticed yet that the wait has ended. */
		WAITING,

		/** The signal was sent. */
		RECEIVED,

		/** The handler has continued without the signal. */
		TIMED_OUT,

		/** The time has passed. */
		SLEPT,

		/** The jobs have ended, or the handler has continued without that. */
		ENDED

	}

}

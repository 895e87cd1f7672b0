package io.pgqueue.admin;

import java.time.Instant;
import java.util.Locale;

import org.jspecify.annotations.Nullable;

/**
 * An operation that was recorded.
 *
 * @param id its id; a later one has a bigger number
 * @param at when it began, by the database's clock
 * @param who the name of the person or program
 * @param via what was used
 * @param address the address that the request came from, or {@code null}
 * @param action what was to be done
 * @param kind what it was to be done to
 * @param name its id or name
 * @param parameters what else was given, as JSON
 * @param reason why, or {@code null}
 * @param state what became of it
 * @param message the same in words; {@code null}: it has not ended
 * @param jobs how many jobs it was done to, if it could be any number
 * @param endedAt when it ended; {@code null}: it has not, as far as is known
 * @param bulk how far it has come, or {@code null} if it is not for all jobs of a filter
 * @since 0.1.0
 */
public record RecordedOperation(long id, Instant at, String who, String via, @Nullable String address, String action,
		String kind, String name, String parameters, @Nullable String reason, State state, @Nullable String message,
		@Nullable Long jobs, @Nullable Instant endedAt, @Nullable BulkProgress bulk) {

	/**
	 * Returns the same for a reader who may not see all data.
	 * @param masker decides what is shown of the texts and keys that its filter looks for
	 */
	public RecordedOperation masked(TextMasker masker) {
		BulkProgress known = this.bulk;
		return new RecordedOperation(this.id, this.at, this.who, this.via, this.address, this.action, this.kind,
				this.name, this.parameters, this.reason, this.state, this.message, this.jobs, this.endedAt,
				(known != null) ? known.masked(masker) : null);
	}

	/** What became of an operation. */
	public enum State {

		/** It has begun a short while ago and not ended. */
		BEGUN,

		/** Processes of the cluster carry it out, one bite after the other. */
		RUNNING,

		/** It was done. */
		DONE,

		/** It was stopped before it was done to all jobs. */
		STOPPED,

		/** Nothing was done, and the message says why. */
		REFUSED,

		/** It failed, and it is not known what was done. */
		FAILED,

		/** Its process ended before it was recorded what became of it. */
		UNKNOWN;

		/**
		 * The state as it is stored and shown.
		 * @return such as {@code done}
		 */
		public String label() {
			return name().toLowerCase(Locale.ROOT);
		}

	}

}

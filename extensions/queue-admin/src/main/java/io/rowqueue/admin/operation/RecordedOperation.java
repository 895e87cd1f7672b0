package io.rowqueue.admin.operation;

import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

import io.rowqueue.masking.SensitiveText;
import io.rowqueue.masking.TextMasker;
import org.jspecify.annotations.Nullable;

/**
 * The record of an operation.
 *
 * @param id its id; later operations have higher ids
 * @param at when it began, by the database's clock
 * @param who the name of the user or program
 * @param via the interface that was used
 * @param address the address that the request came from, or {@code null}
 * @param action the action
 * @param kind the kind of its target
 * @param name the id or name of its target
 * @param parameters further parameters, by name
 * @param reason the reason that was given, or {@code null}
 * @param state its state
 * @param message the outcome in words, or {@code null} if it has not ended
 * @param jobs the number of affected jobs, or {@code null}
 * @param endedAt when it ended, or {@code null} if no end was recorded
 * @param bulk how far it has come, or {@code null} if it is not for all jobs of a filter
 * @since 0.1.0
 */
public record RecordedOperation(long id, Instant at, String who, String via, @Nullable String address, String action,
		String kind, String name, Map<String, String> parameters, @Nullable String reason, State state,
		@Nullable String message, @Nullable Long jobs, @Nullable Instant endedAt, @Nullable BulkProgress bulk) {

	/** Parameters with names that handlers choose. */
	private static final Set<String> NAMES = Set.of("step", "signal");

	/** What is done to a class of limit keys, as well as to a key. */
	private static final Set<String> OF_CLASSES = Set.of("limit", "unlimit");

	/** Keeps the parameters in their order. */
	public RecordedOperation {
		parameters = Collections.unmodifiableMap(new LinkedHashMap<>(parameters));
	}

	/**
	 * Returns the same for a reader who may not see all data.
	 * @param masker decides what is shown of keys, of names of steps and signals, and of
	 * the texts and keys that its filter looks for
	 */
	public RecordedOperation masked(TextMasker masker) {
		BulkProgress known = this.bulk;
		return new RecordedOperation(this.id, this.at, this.who, this.via, this.address, this.action, this.kind,
				maskedName(masker), maskedParameters(masker), this.reason, this.state, this.message, this.jobs,
				this.endedAt, (known != null) ? known.masked(masker) : null);
	}

	/**
	 * A class of limit keys is not masked. A limit whose name has no colon is that of a
	 * class; what is held, or has a weight, is a key, whatever it looks like.
	 */
	private String maskedName(TextMasker masker) {
		boolean isClass = OF_CLASSES.contains(this.action) && this.name.indexOf(':') < 0;
		return (this.kind.equals("keys") && !isClass) ? masker.mask(SensitiveText.LIMIT_KEY, this.name) : this.name;
	}

	private Map<String, String> maskedParameters(TextMasker masker) {
		Map<String, String> shown = new LinkedHashMap<>(this.parameters);
		shown.replaceAll((each, value) -> NAMES.contains(each) ? masker.mask(SensitiveText.STEP, value) : value);
		return shown;
	}

	/** The state of an operation. */
	public enum State {

		/** It began recently and has not ended. */
		BEGUN,

		/** Processes of the cluster perform it, one chunk after the other. */
		RUNNING,

		/** It succeeded. */
		DONE,

		/** It was stopped before all jobs were changed. */
		STOPPED,

		/** It was refused, for the reason in the message, and changed nothing. */
		REFUSED,

		/** It failed; it is unknown what was changed. */
		FAILED,

		/** Its process ended before the outcome was recorded. */
		UNKNOWN;

		/**
		 * Returns the label of the state.
		 * @return a label such as {@code done}
		 */
		public String label() {
			return name().toLowerCase(Locale.ROOT);
		}

	}

}

package io.pgqueue.admin;

import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

/**
 * Records what people do to the queue: before it is done, so that nothing is done that is
 * not recorded, and afterwards with what became of it. The endpoint and the dashboard act
 * through it; an application can do so for an administration of its own. The records are
 * kept for a year.
 *
 * @since 0.1.0
 */
public interface Operations {

	/** The most records that a call returns. */
	int MAX_RESULTS = 200;

	/**
	 * Records that something begins, does it, and records what became of it. An exception
	 * of the work is recorded as a failure and thrown.
	 * @param <T> what the work returns
	 * @param request what is to be done
	 * @param work does it
	 * @param outcome says what became of it
	 * @return what the work returned, with the id of the record
	 * @throws org.springframework.dao.DataAccessException if it cannot be recorded that
	 * it begins; then nothing was done
	 */
	<T> Recorded<T> perform(Operation request, Supplier<T> work, Function<T, OperationOutcome> outcome);

	/**
	 * The operations, the latest first.
	 * @param filter which ones
	 * @param before only those with a smaller id; {@link Long#MAX_VALUE}: all
	 * @param most how many, at most {@value #MAX_RESULTS}
	 * @return the operations
	 */
	List<RecordedOperation> list(Filter filter, long before, int most);

	/**
	 * One operation.
	 * @param id its id
	 * @return empty if there is no such operation
	 */
	Optional<RecordedOperation> find(long id);

	/**
	 * What was done, and its record.
	 *
	 * @param <T> what the work returned
	 * @param result what the work returned
	 * @param operation the id of the record
	 */
	record Recorded<T>(T result, long operation) {

	}

	/**
	 * Selects operations. Immutable: every method that sets a value returns a changed
	 * copy.
	 */
	final class Filter {

		/** All operations. */
		public static final Filter ALL = new Filter(null, null, null, null);

		private final @Nullable String kind;

		private final @Nullable String name;

		private final @Nullable String who;

		private final @Nullable String action;

		private Filter(@Nullable String kind, @Nullable String name, @Nullable String who, @Nullable String action) {
			this.kind = kind;
			this.name = name;
			this.who = who;
			this.action = action;
		}

		/**
		 * Selects what was done to something.
		 * @param kind what it was done to, such as {@code jobs}, or {@code null} for
		 * anything
		 * @param name its id or name, or {@code null} for any
		 * @return the filter
		 * @throws IllegalArgumentException if there is a name and no kind
		 */
		public static Filter of(@Nullable String kind, @Nullable String name) {
			if (name != null && kind == null) {
				throw new IllegalArgumentException("a name needs the kind of what it names");
			}
			return new Filter(kind, name, null, null);
		}

		/**
		 * Sets the person or program.
		 * @param who the name, or {@code null} for any
		 * @return a changed copy
		 */
		public Filter who(@Nullable String who) {
			return new Filter(this.kind, this.name, who, this.action);
		}

		/**
		 * Sets the action.
		 * @param action the action, such as {@code retry}, or {@code null} for any
		 * @return a changed copy
		 */
		public Filter action(@Nullable String action) {
			return new Filter(this.kind, this.name, this.who, action);
		}

		/** Returns what it was done to, or {@code null} for anything. */
		public @Nullable String kind() {
			return this.kind;
		}

		/** Returns the id or name of what it was done to, or {@code null} for any. */
		public @Nullable String name() {
			return this.name;
		}

		/** Returns the person or program, or {@code null} for any. */
		public @Nullable String who() {
			return this.who;
		}

		/** Returns the action, or {@code null} for any. */
		public @Nullable String action() {
			return this.action;
		}

	}

}

package io.rowqueue.admin.operation;

import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

/**
 * The record of administrative operations. Each operation is recorded before it is
 * performed, so that no operation remains unrecorded, and its outcome is recorded
 * afterwards. The endpoint and the dashboard use it, and an application can use it for
 * its own administration. Records are kept for a year.
 *
 * @since 0.1.0
 */
public interface Operations {

	/** The maximum number of records that a call returns. */
	int MAX_RESULTS = 200;

	/**
	 * Records an operation, performs it, and records its outcome. An exception is
	 * recorded as a failure and rethrown.
	 * @param <T> the type of the result
	 * @param request the operation
	 * @param work performs the operation
	 * @param outcome derives the outcome from the result
	 * @return the result, with the id of the record
	 * @throws org.springframework.dao.DataAccessException if the operation cannot be
	 * recorded; then it was not performed
	 */
	<T> Recorded<T> perform(Operation request, Supplier<T> work, Function<T, OperationOutcome> outcome);

	/**
	 * Starts a change of all jobs that a filter selects, and returns. The processes with
	 * workers carry it out: the jobs are selected first and then changed in chunks, and
	 * another process continues if one ends.
	 * @param request what is to be done
	 * @return the id of the record, whose {@link RecordedOperation#bulk} shows the
	 * progress
	 */
	long start(BulkOperation request);

	/**
	 * Stops a change of all jobs that a filter selects. Jobs that it has changed stay
	 * changed; the chunk that a process is at work on is finished.
	 * @param id the id of the record
	 * @return whether it was running
	 */
	boolean stop(long id);

	/**
	 * Lists operations, the latest first.
	 * @param filter which operations to list
	 * @param before the id below which operations are listed, {@link Long#MAX_VALUE} for
	 * all
	 * @param limit the maximum number of operations, at most {@value #MAX_RESULTS}
	 * @return the operations
	 */
	List<RecordedOperation> list(Filter filter, long before, int limit);

	/**
	 * Finds an operation.
	 * @param id its id
	 * @return the operation, or empty if it does not exist
	 */
	Optional<RecordedOperation> find(long id);

	/**
	 * The result of an operation, and its record.
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

		/** Selects all operations. */
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
				throw new IllegalArgumentException("a name requires the kind of its target");
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

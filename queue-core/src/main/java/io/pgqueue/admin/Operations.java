package io.pgqueue.admin;

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
	 * Lists operations, the latest first.
	 * @param filter which operations to list
	 * @param before the id below which operations are listed, {@link Long#MAX_VALUE} for
	 * all
	 * @param most the maximum number of operations, at most {@value #MAX_RESULTS}
	 * @return the operations
	 */
	List<RecordedOperation> list(Filter filter, long before, int most);

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
	 * Selects operations.
	 *
	 * @param kind the kind of their target, or {@code null} for all kinds
	 * @param name the id or name of their target, or {@code null} for all; requires a
	 * kind
	 * @param who the name of the user or program, or {@code null} for all
	 * @param action the action, or {@code null} for all
	 */
	record Filter(@Nullable String kind, @Nullable String name, @Nullable String who, @Nullable String action) {

		/** Selects all operations. */
		public static final Filter ALL = new Filter(null, null, null, null);

		/** Checks that it makes sense. */
		public Filter {
			if (name != null && kind == null) {
				throw new IllegalArgumentException("a name requires the kind of its target");
			}
		}

		/** Returns a filter for the operations on one target. */
		public static Filter of(String kind, String name) {
			return new Filter(kind, name, null, null);
		}

	}

}

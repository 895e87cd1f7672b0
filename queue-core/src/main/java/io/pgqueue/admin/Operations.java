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
	 * Starts a change of all jobs that a filter selects, and returns. The processes with
	 * workers carry it out: the jobs are selected first and then changed in bites, and
	 * another process continues if one ends.
	 * @param request what is to be done
	 * @return the id of the record, whose {@link RecordedOperation#bulk} shows the
	 * progress
	 */
	long start(BulkOperation request);

	/**
	 * Stops a change of all jobs that a filter selects. Jobs that it has changed stay
	 * changed; the bite that a process is at work on is finished.
	 * @param id the id of the record
	 * @return whether it was running
	 */
	boolean stop(long id);

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
	 * Which operations.
	 *
	 * @param kind what they were done to, or {@code null} for anything
	 * @param name its id or name, or {@code null}; only with a kind
	 * @param who the name of the person or program, or {@code null}
	 * @param action what was done, or {@code null}
	 */
	record Filter(@Nullable String kind, @Nullable String name, @Nullable String who, @Nullable String action) {

		/** All operations. */
		public static final Filter ALL = new Filter(null, null, null, null);

		/** Checks that it makes sense. */
		public Filter {
			if (name != null && kind == null) {
				throw new IllegalArgumentException("a name needs the kind of what it names");
			}
		}

		/** Those that were done to something. */
		public static Filter of(String kind, String name) {
			return new Filter(kind, name, null, null);
		}

	}

}

package io.rowqueue.admin.filter;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

/**
 * Selects the jobs of a search. A job must match everything that is set, and one of
 * several states, queues, types or ids. A combination that no job can match is rejected.
 *
 * <pre class="code">
 * JobFilter.builder().state(JobListState.FAILED).queue("mail").build()
 * </pre>
 *
 * @since 0.1.0
 */
public final class JobFilter {

	/** All jobs that have not finished, failed ones included. */
	public static final JobFilter ALL = builder().build();

	/** The words that {@link #of} reads; a minus excludes jobs. */
	public static final List<String> WORDS = List.of("state", "-state", "queue", "-queue", "type", "-type", "id", "key",
			"limitKey", "batch", "flow", "worker", "priority", "attempt", "created", "due", "started", "ended", "error",
			"-error", "tag", "header", "payload", "q");

	private static final JobFilter UNFINISHED = builder().state(JobListState.UNFINISHED.toArray(JobListState[]::new))
		.build();

	private final JobFilterValues values;

	JobFilter(JobFilterValues values) {
		this.values = values;
	}

	/** Returns the states; empty for all that have not finished, failed ones included. */
	public Set<JobListState> states() {
		return this.values.states();
	}

	/** Returns the queues; empty for all. */
	public Set<String> queues() {
		return this.values.queues();
	}

	/** Returns the types; empty for all. */
	public Set<String> types() {
		return this.values.types();
	}

	/** Returns the ids of the jobs; empty for all. */
	public Set<Long> ids() {
		return this.values.ids();
	}

	/** Returns the unique key, or {@code null} for any. */
	public @Nullable String uniqueKey() {
		return this.values.uniqueKey();
	}

	/** Returns the limit key, or {@code null} for any; finished jobs have none. */
	public @Nullable String limitKey() {
		return this.values.limitKey();
	}

	/** Returns the batch, or {@code null} for any; finished jobs have none. */
	public @Nullable Long batch() {
		return this.values.batch();
	}

	/** Returns the flow, or {@code null} for any. */
	public @Nullable Long flow() {
		return this.values.flow();
	}

	/** Returns the worker that holds or ran the jobs, or {@code null} for any. */
	public @Nullable Long worker() {
		return this.values.worker();
	}

	/** Returns the priorities. */
	public NumberRange priority() {
		return this.values.priority();
	}

	/** Returns how many attempts have begun. */
	public NumberRange attempts() {
		return this.values.attempts();
	}

	/** Returns when the jobs were enqueued. */
	public TimeRange created() {
		return this.values.created();
	}

	/** Returns when the jobs are or were due. */
	public TimeRange due() {
		return this.values.due();
	}

	/** Returns when the latest attempt was claimed. */
	public TimeRange started() {
		return this.values.started();
	}

	/** Returns when the jobs finished. */
	public TimeRange ended() {
		return this.values.ended();
	}

	/** Returns the tags that a job must have, all of them; empty for any. */
	public Set<String> tags() {
		return this.values.tags();
	}

	/** Returns the headers that a job must have, all of them; empty for any. */
	public Map<String, String> headers() {
		return this.values.headers();
	}

	/**
	 * Returns the values in the payload by their paths, all of which a job must have;
	 * empty for any.
	 */
	public Map<String, String> payload() {
		return this.values.payload();
	}

	/** Returns the text in the payload or the error, ignoring case, or {@code null}. */
	public @Nullable String text() {
		return this.values.text();
	}

	/** Returns what the last error of the jobs is, or {@code null} for any. */
	public @Nullable ErrorMatch error() {
		return this.values.error();
	}

	/** Returns which of the jobs are left out. */
	public JobExclusions excluded() {
		return this.values.excluded();
	}

	/** Returns whether it selects jobs that have finished. */
	public boolean isFinished() {
		return JobListState.FINISHED.stream().anyMatch(states()::contains);
	}

	/** Returns whether it searches for text or in payloads, to which no index leads. */
	public boolean searchesText() {
		return text() != null || !payload().isEmpty()
				|| Stream.concat(Stream.ofNullable(error()), excluded().errors().stream())
					.anyMatch((error) -> !error.isFingerprint());
	}

	/**
	 * Returns whether it selects by payloads, errors, keys, tags or headers, which not
	 * everyone may see and which could be found out by searching.
	 */
	public boolean selectsByContent() {
		return searchesText() || uniqueKey() != null || limitKey() != null || !tags().isEmpty() || !headers().isEmpty();
	}

	/**
	 * Returns this filter unless it is empty. Whoever changes all jobs that a filter
	 * selects calls this first; to change all jobs that have not finished, name
	 * {@link JobListState#UNFINISHED} as the states.
	 * @return this filter
	 * @throws IllegalArgumentException if it equals {@link #ALL}
	 */
	public JobFilter requireSelective() {
		if (equals(ALL)) {
			throw new IllegalArgumentException("the filter is empty, which selects all jobs that have not finished;"
					+ " to change them all, name their states: " + UNFINISHED.query());
		}
		return this;
	}

	/**
	 * Reads a filter from the words of a URL.
	 * @param words the values by word, such as {@code state=failed}
	 * @return the filter
	 * @throws IllegalArgumentException if a word is unknown, a value cannot be read, or
	 * it makes no sense together
	 */
	public static JobFilter of(Map<String, ? extends Collection<String>> words) {
		return JobFilterParser.parse(words);
	}

	/**
	 * Reads a filter from the query of a URL.
	 * @param query such as {@code state=failed&type=webhook}, percent-encoded
	 * @return the filter
	 * @throws IllegalArgumentException as from {@link #of}
	 */
	public static JobFilter ofQuery(String query) {
		return JobFilterQuery.parse(query);
	}

	/**
	 * Returns the filter as the query of a URL.
	 * @return a query from which {@link #ofQuery} makes an equal filter; empty for
	 * {@link #ALL}
	 */
	public String query() {
		return JobFilterQuery.of(this);
	}

	/**
	 * Begins a filter.
	 * @return a builder of a filter that selects all
	 */
	public static JobFilterBuilder builder() {
		return new JobFilterBuilder();
	}

	@Override
	public boolean equals(@Nullable Object other) {
		return other instanceof JobFilter filter && this.values.equals(filter.values);
	}

	@Override
	public int hashCode() {
		return this.values.hashCode();
	}

	@Override
	public String toString() {
		return this.values.toString();
	}

}

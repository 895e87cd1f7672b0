package io.pgqueue.admin;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

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
	public static final JobFilter ALL = new Builder().build();

	/** The words that {@link #of} reads. */
	public static final List<String> WORDS = List.of("state", "queue", "type", "id", "key", "limitKey", "batch", "flow",
			"worker", "priority", "created", "due", "started", "ended", "q", "tag", "header");

	private final JobFilterValues values;

	private JobFilter(JobFilterValues values) {
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

	/** Returns the minimum priority, or {@code null} for any. */
	public @Nullable Integer minPriority() {
		return this.values.minPriority();
	}

	/** Returns the maximum priority, or {@code null} for any. */
	public @Nullable Integer maxPriority() {
		return this.values.maxPriority();
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

	/** Returns the text in the payload or the error, ignoring case, or {@code null}. */
	public @Nullable String text() {
		return this.values.text();
	}

	/** Returns whether it selects jobs that have finished. */
	public boolean isFinished() {
		return JobListState.FINISHED.stream().anyMatch(states()::contains);
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
	public static Builder builder() {
		return new Builder();
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

	/** Builds a filter. */
	public static final class Builder {

		private final Set<JobListState> states = new LinkedHashSet<>();

		private final Set<String> queues = new LinkedHashSet<>();

		private final Set<String> types = new LinkedHashSet<>();

		private final Set<Long> ids = new LinkedHashSet<>();

		private @Nullable String uniqueKey;

		private @Nullable String limitKey;

		private @Nullable Long batch;

		private @Nullable Long flow;

		private @Nullable Long worker;

		private @Nullable Integer minPriority;

		private @Nullable Integer maxPriority;

		private TimeRange created = TimeRange.ALWAYS;

		private TimeRange due = TimeRange.ALWAYS;

		private TimeRange started = TimeRange.ALWAYS;

		private TimeRange ended = TimeRange.ALWAYS;

		private @Nullable String text;

		private final Set<String> tags = new LinkedHashSet<>();

		private final Map<String, String> headers = new LinkedHashMap<>();

		private Builder() {
		}

		/** Adds states. */
		public Builder state(JobListState... added) {
			this.states.addAll(List.of(added));
			return this;
		}

		/** Adds queues. */
		public Builder queue(String... added) {
			this.queues.addAll(List.of(added));
			return this;
		}

		/** Adds types. */
		public Builder type(String... added) {
			this.types.addAll(List.of(added));
			return this;
		}

		/** Adds jobs. */
		public Builder id(Long... added) {
			this.ids.addAll(List.of(added));
			return this;
		}

		/** Sets the unique key. */
		public Builder uniqueKey(String key) {
			this.uniqueKey = key;
			return this;
		}

		/** Sets the limit key. */
		public Builder limitKey(String key) {
			this.limitKey = key;
			return this;
		}

		/** Sets the batch. */
		public Builder batch(long id) {
			this.batch = id;
			return this;
		}

		/** Sets the flow. */
		public Builder flow(long id) {
			this.flow = id;
			return this;
		}

		/** Sets the worker. */
		public Builder worker(long id) {
			this.worker = id;
			return this;
		}

		/** Sets the least and the greatest priority; {@code null}: any. */
		public Builder priority(@Nullable Integer min, @Nullable Integer max) {
			this.minPriority = min;
			this.maxPriority = max;
			return this;
		}

		/** Sets when they were enqueued. */
		public Builder created(TimeRange range) {
			this.created = range;
			return this;
		}

		/** Sets when they are or were due. */
		public Builder due(TimeRange range) {
			this.due = range;
			return this;
		}

		/** Sets when their latest attempt was claimed. */
		public Builder started(TimeRange range) {
			this.started = range;
			return this;
		}

		/** Sets when they finished. */
		public Builder ended(TimeRange range) {
			this.ended = range;
			return this;
		}

		/** Sets what their payload or error contains. */
		public Builder text(String contained) {
			this.text = contained;
			return this;
		}

		/** Adds tags that the jobs must have, all of them. */
		public Builder tag(String... added) {
			this.tags.addAll(List.of(added));
			return this;
		}

		/** Adds a header that the jobs must have been enqueued with. */
		public Builder header(String name, String value) {
			this.headers.put(name, value);
			return this;
		}

		/**
		 * Creates the filter.
		 * @return the filter
		 * @throws IllegalArgumentException if no job can match it, or a value is not
		 * allowed
		 */
		public JobFilter build() {
			return new JobFilter(new JobFilterValues(this.states, this.queues, this.types, this.ids, this.uniqueKey,
					this.limitKey, this.batch, this.flow, this.worker, this.minPriority, this.maxPriority, this.created,
					this.due, this.started, this.ended, this.text, this.tags, this.headers));
		}

	}

}

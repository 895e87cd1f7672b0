package io.pgqueue.admin;

import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

/**
 * Which jobs a search is for. All that is given must hold; of several states, queues,
 * types or ids one must. What makes no sense together is refused.
 *
 * @param states the states; empty: all that have not finished, failed ones included
 * @param queues the queues; empty: all
 * @param types the types; empty: all
 * @param ids the jobs; empty: all
 * @param uniqueKey the unique key, or {@code null}
 * @param limitKey the limit key, or {@code null}; finished jobs do not keep it
 * @param batch the batch, or {@code null}; finished jobs do not keep it
 * @param flow the flow, or {@code null}
 * @param worker the worker that holds them or has run them, or {@code null}
 * @param minPriority the least priority, or {@code null}
 * @param maxPriority the greatest priority, or {@code null}
 * @param created when they were enqueued
 * @param due when they are or were due
 * @param started when their latest attempt was claimed
 * @param ended when they finished
 * @param text what their payload or error contains, whatever the case of its letters, or
 * {@code null}
 * @since 0.1.0
 */
public record JobFilter(Set<JobListState> states, Set<String> queues, Set<String> types, Set<Long> ids,
		@Nullable String uniqueKey, @Nullable String limitKey, @Nullable Long batch, @Nullable Long flow,
		@Nullable Long worker, @Nullable Integer minPriority, @Nullable Integer maxPriority, TimeRange created,
		TimeRange due, TimeRange started, TimeRange ended, @Nullable String text) {

	/** All jobs that have not finished, failed ones included. */
	public static final JobFilter ALL = new Builder().build();

	/** The words that {@link #of} reads. */
	public static final List<String> WORDS = List.of("state", "queue", "type", "id", "key", "limitKey", "batch", "flow",
			"worker", "priority", "created", "due", "started", "ended", "q");

	private static final int MAX_VALUES = 200;

	private static final int MAX_TEXT = 500;

	/** Checks that it makes sense. */
	public JobFilter {
		states = Set.copyOf(states);
		queues = Set.copyOf(queues);
		types = Set.copyOf(types);
		ids = Set.copyOf(ids);
		for (Set<?> values : List.of(queues, types, ids)) {
			check(values.size() <= MAX_VALUES, "a filter has at most " + MAX_VALUES + " values of a kind");
		}
		long leads = Stream.of(ids.isEmpty() ? null : ids, uniqueKey, limitKey, batch, flow)
			.filter(Objects::nonNull)
			.count();
		check(leads <= 1, "only one of id, key, limitKey, batch and flow can be given");
		boolean finished = states.stream().anyMatch(JobListState.FINISHED::contains);
		check(!finished || JobListState.FINISHED.containsAll(states),
				"succeeded and cancelled jobs are listed apart from those in other states");
		check(finished || !ended.isBounded(), "ended goes with the states succeeded and cancelled only");
		check(!finished || (limitKey == null && batch == null),
				"jobs that have finished keep neither their limitKey nor their batch");
		check(worker == null || finished || JobListState.LEASED.containsAll(states),
				"worker goes with the states starting, running, stuck, succeeded and cancelled only");
		check(worker == null || finished || leads == 0, "worker goes with none of id, key, limitKey, batch and flow");
		check(minPriority == null || maxPriority == null || minPriority <= maxPriority,
				"the least priority must not exceed the greatest one");
		check(text == null || (!text.isBlank() && text.length() <= MAX_TEXT),
				"the text must have from 1 to " + MAX_TEXT + " characters");
	}

	private static void check(boolean condition, String message) {
		if (!condition) {
			throw new IllegalArgumentException(message);
		}
	}

	/** Whether it is for jobs that have finished. */
	public boolean isFinished() {
		return JobListState.FINISHED.stream().anyMatch(this.states::contains);
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

		/** Returns the filter. */
		public JobFilter build() {
			return new JobFilter(this.states, this.queues, this.types, this.ids, this.uniqueKey, this.limitKey,
					this.batch, this.flow, this.worker, this.minPriority, this.maxPriority, this.created, this.due,
					this.started, this.ended, this.text);
		}

	}

}

package io.rowqueue.admin.filter;

import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

import org.jspecify.annotations.Nullable;

/**
 * Builds a {@link JobFilter}. Several states, queues, types or ids are alternatives.
 *
 * @since 0.1.0
 */
public final class JobFilterBuilder {

	private final Set<JobListState> states = new LinkedHashSet<>();

	private final Set<String> queues = new LinkedHashSet<>();

	private final Set<String> types = new LinkedHashSet<>();

	private final Set<Long> ids = new LinkedHashSet<>();

	private @Nullable String uniqueKey;

	private @Nullable String limitKey;

	private @Nullable Long batch;

	private @Nullable Long flow;

	private @Nullable Long worker;

	private NumberRange priority = NumberRange.ANY;

	private NumberRange attempts = NumberRange.ANY;

	private TimeRange created = TimeRange.ALWAYS;

	private TimeRange due = TimeRange.ALWAYS;

	private TimeRange started = TimeRange.ALWAYS;

	private TimeRange ended = TimeRange.ALWAYS;

	private @Nullable ErrorMatch error;

	private @Nullable String text;

	private final Set<String> tags = new LinkedHashSet<>();

	private final Map<String, String> headers = new LinkedHashMap<>();

	private final Map<String, String> payload = new LinkedHashMap<>();

	private final Set<JobListState> excludedStates = new LinkedHashSet<>();

	private final Set<String> excludedQueues = new LinkedHashSet<>();

	private final Set<String> excludedTypes = new LinkedHashSet<>();

	private final Set<ErrorMatch> excludedErrors = new LinkedHashSet<>();

	JobFilterBuilder() {
	}

	/** Adds states. */
	public JobFilterBuilder state(JobListState... added) {
		this.states.addAll(List.of(added));
		return this;
	}

	/** Adds queues. */
	public JobFilterBuilder queue(String... added) {
		this.queues.addAll(List.of(added));
		return this;
	}

	/** Adds types. */
	public JobFilterBuilder type(String... added) {
		this.types.addAll(List.of(added));
		return this;
	}

	/** Adds jobs. */
	public JobFilterBuilder id(Long... added) {
		this.ids.addAll(List.of(added));
		return this;
	}

	/** Sets the unique key. */
	public JobFilterBuilder uniqueKey(String key) {
		this.uniqueKey = key;
		return this;
	}

	/** Sets the limit key. */
	public JobFilterBuilder limitKey(String key) {
		this.limitKey = key;
		return this;
	}

	/** Sets the batch. */
	public JobFilterBuilder batch(long id) {
		this.batch = id;
		return this;
	}

	/** Sets the flow. */
	public JobFilterBuilder flow(long id) {
		this.flow = id;
		return this;
	}

	/** Sets the worker. */
	public JobFilterBuilder worker(long id) {
		this.worker = id;
		return this;
	}

	/** Sets the priorities. */
	public JobFilterBuilder priority(NumberRange range) {
		this.priority = range;
		return this;
	}

	/** Sets how many attempts have begun. */
	public JobFilterBuilder attempts(NumberRange range) {
		this.attempts = range;
		return this;
	}

	/** Sets when they were enqueued. */
	public JobFilterBuilder created(TimeRange range) {
		this.created = range;
		return this;
	}

	/** Sets when they are or were due. */
	public JobFilterBuilder due(TimeRange range) {
		this.due = range;
		return this;
	}

	/** Sets when their latest attempt was claimed. */
	public JobFilterBuilder started(TimeRange range) {
		this.started = range;
		return this;
	}

	/** Sets when they finished. */
	public JobFilterBuilder ended(TimeRange range) {
		this.ended = range;
		return this;
	}

	/**
	 * Sets the last error of the jobs.
	 * @param match a part of its text, or the 16 hexadecimal digits of the fingerprint of
	 * an error
	 */
	public JobFilterBuilder error(String match) {
		this.error = new ErrorMatch(match);
		return this;
	}

	/** Leaves out jobs in these states. */
	public JobFilterBuilder exceptState(JobListState... excluded) {
		this.excludedStates.addAll(List.of(excluded));
		return this;
	}

	/** Leaves out jobs of these queues. */
	public JobFilterBuilder exceptQueue(String... excluded) {
		this.excludedQueues.addAll(List.of(excluded));
		return this;
	}

	/** Leaves out jobs of these types. */
	public JobFilterBuilder exceptType(String... excluded) {
		this.excludedTypes.addAll(List.of(excluded));
		return this;
	}

	/** Leaves out jobs with these last errors, as in {@link #error}. */
	public JobFilterBuilder exceptError(String... excluded) {
		List.of(excluded).forEach((match) -> this.excludedErrors.add(new ErrorMatch(match)));
		return this;
	}

	/** Sets what their payload or error contains. */
	public JobFilterBuilder text(String contained) {
		this.text = contained;
		return this;
	}

	/** Adds tags that the jobs must have, all of them. */
	public JobFilterBuilder tag(String... added) {
		this.tags.addAll(List.of(added));
		return this;
	}

	/** Adds a header that the jobs must have been enqueued with. */
	public JobFilterBuilder header(String name, String value) {
		this.headers.put(name, value);
		return this;
	}

	/**
	 * Adds a value that the payload must have.
	 * @param path the names that lead to it, with dots between them, such as
	 * {@code user.id}; a number leads into a list
	 * @param value the text, number or truth value, as it is stored
	 */
	public JobFilterBuilder payload(String path, String value) {
		this.payload.put(path, value);
		return this;
	}

	/**
	 * Creates the filter.
	 * @return the filter
	 * @throws IllegalArgumentException if no job can match it, or a value is not allowed
	 */
	public JobFilter build() {
		return new JobFilter(new JobFilterValues(this.states, this.queues, this.types, this.ids, this.uniqueKey,
				this.limitKey, this.batch, this.flow, this.worker, this.priority, this.attempts, this.created, this.due,
				this.started, this.ended, this.error, this.text, this.tags, this.headers, this.payload,
				new JobExclusions(this.excludedStates, this.excludedQueues, this.excludedTypes, this.excludedErrors)));
	}

}

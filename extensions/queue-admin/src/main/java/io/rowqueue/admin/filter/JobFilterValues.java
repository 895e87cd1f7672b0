package io.rowqueue.admin.filter;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

/** The values of a {@link JobFilter}, checked. */
record JobFilterValues(Set<JobListState> states, Set<String> queues, Set<String> types, Set<Long> ids,
		@Nullable String uniqueKey, @Nullable String limitKey, @Nullable Long batch, @Nullable Long flow,
		@Nullable Long worker, NumberRange priority, NumberRange attempts, TimeRange created, TimeRange due,
		TimeRange started, TimeRange ended, @Nullable ErrorMatch error, @Nullable String text, Set<String> tags,
		Map<String, String> headers, Map<String, String> payload, JobExclusions excluded) {

	private static final int MAX_VALUES = 200;

	private static final int MAX_TEXT = 500;

	private static final int MAX_LABELS = 10;

	/** Checks that it makes sense. */
	JobFilterValues {
		states = Set.copyOf(states);
		queues = Set.copyOf(queues);
		types = Set.copyOf(types);
		ids = Set.copyOf(ids);
		tags = Set.copyOf(tags);
		headers = Map.copyOf(headers);
		payload = Map.copyOf(payload);
		check(tags.size() + headers.size() <= MAX_LABELS, "a filter has at most " + MAX_LABELS + " tags and headers");
		check(payload.size() <= MAX_LABELS, "a filter has at most " + MAX_LABELS + " values in the payload");
		payload.forEach((path, value) -> {
			checkText("the path of a value in the payload", path);
			checkText("the value in the payload", value);
		});
		for (Set<?> values : List.of(queues, types, ids, excluded.queues(), excluded.types(), excluded.errors())) {
			check(values.size() <= MAX_VALUES, "a filter has at most " + MAX_VALUES + " values of a kind");
		}
		checkNames("queue", queues, excluded.queues());
		checkNames("type", types, excluded.types());
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
		check(states.isEmpty() || !excluded.states().containsAll(states), "all of the states are excluded");
		if (text != null) {
			checkText("the text", text);
		}
	}

	private static void checkNames(String word, Set<String> names, Set<String> excluded) {
		check(Stream.concat(names.stream(), excluded.stream()).noneMatch(String::isBlank),
				"the name of a " + word + " must not be blank");
	}

	static void checkText(String name, String text) {
		check(!text.isBlank() && text.length() <= MAX_TEXT, name + " must have from 1 to " + MAX_TEXT + " characters");
		check(text.indexOf('\0') < 0, name + " must not contain the character NUL, which PostgreSQL cannot store");
	}

	private static void check(boolean condition, String message) {
		if (!condition) {
			throw new IllegalArgumentException(message);
		}
	}

}

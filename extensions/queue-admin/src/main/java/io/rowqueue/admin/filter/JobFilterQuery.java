package io.rowqueue.admin.filter;

import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

import org.jspecify.annotations.Nullable;

/** Writes a filter as the query of a URL, and reads it. */
final class JobFilterQuery {

	private final List<String> pairs = new ArrayList<>();

	private JobFilterQuery() {
	}

	static JobFilter parse(String query) {
		Map<String, List<String>> words = new LinkedHashMap<>();
		for (String pair : query.split("&")) {
			if (!pair.isEmpty()) {
				int equals = pair.indexOf('=');
				if (equals < 0) {
					throw new IllegalArgumentException(
							"'" + pair + "' is not a word with a value, such as state=failed");
				}
				words.computeIfAbsent(decoded(pair.substring(0, equals)), (word) -> new ArrayList<>())
					.add(decoded(pair.substring(equals + 1)));
			}
		}
		return JobFilter.of(words);
	}

	static String of(JobFilter filter) {
		JobFilterQuery query = new JobFilterQuery();
		query.add("state", filter.states(), JobListState::label);
		query.add("-state", filter.excluded().states(), JobListState::label);
		query.add("queue", filter.queues(), String::toString);
		query.add("-queue", filter.excluded().queues(), String::toString);
		query.add("type", filter.types(), String::toString);
		query.add("-type", filter.excluded().types(), String::toString);
		query.add("id", filter.ids(), String::valueOf);
		query.add("key", filter.uniqueKey());
		query.add("limitKey", filter.limitKey());
		query.add("batch", filter.batch());
		query.add("flow", filter.flow());
		query.add("worker", filter.worker());
		query.add("priority", numbers(filter.priority()));
		query.add("attempt", numbers(filter.attempts()));
		query.add("created", range(filter.created()));
		query.add("due", range(filter.due()));
		query.add("started", range(filter.started()));
		query.add("ended", range(filter.ended()));
		query.add("error", (filter.error() != null) ? filter.error().text() : null);
		query.add("-error", filter.excluded().errors(), ErrorMatch::text);
		query.add("q", filter.text());
		query.add("tag", filter.tags(), String::toString);
		query.add("header", filter.headers().entrySet(), Object::toString);
		query.add("payload", filter.payload().entrySet(), Object::toString);
		return String.join("&", query.pairs);
	}

	private void add(String word, @Nullable Object value) {
		if (value != null) {
			this.pairs.add(word + "=" + URLEncoder.encode(value.toString(), StandardCharsets.UTF_8));
		}
	}

	/** The order of the elements of a set is not the same in each process. */
	private <T> void add(String word, Collection<T> values, Function<T, String> text) {
		values.stream().map(text).sorted().forEach((value) -> add(word, value));
	}

	private static @Nullable String numbers(NumberRange range) {
		return range.equals(NumberRange.ANY) ? null : range.text();
	}

	private static @Nullable String range(TimeRange range) {
		return range.isBounded() ? text(range.from()) + ".." + text(range.until()) : null;
	}

	private static String text(@Nullable Object time) {
		return (time != null) ? time.toString() : "";
	}

	private static String decoded(String text) {
		try {
			return URLDecoder.decode(text, StandardCharsets.UTF_8);
		}
		catch (IllegalArgumentException ex) {
			throw new IllegalArgumentException("'" + text + "' is not percent-encoded", ex);
		}
	}

}

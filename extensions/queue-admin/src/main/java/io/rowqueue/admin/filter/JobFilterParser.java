package io.rowqueue.admin.filter;

import java.time.Instant;
import java.util.Collection;
import java.util.Map;
import java.util.function.BiConsumer;

import io.rowqueue.engine.support.Times;
import org.jspecify.annotations.Nullable;

/** Reads a filter from words and values, such as the query parameters of a URL. */
final class JobFilterParser {

	private JobFilterParser() {
	}

	static JobFilter parse(Map<String, ? extends Collection<String>> words) {
		JobFilterBuilder filter = JobFilter.builder();
		words.forEach((word, values) -> {
			switch (word) {
				case "state" -> values.forEach((value) -> filter.state(JobListState.of(value)));
				case "-state" -> values.forEach((value) -> filter.exceptState(JobListState.of(value)));
				case "queue" -> values.forEach(filter::queue);
				case "-queue" -> values.forEach(filter::exceptQueue);
				case "type" -> values.forEach(filter::type);
				case "-type" -> values.forEach(filter::exceptType);
				case "id" -> values.forEach((value) -> filter.id(id(word, value)));
				case "key" -> filter.uniqueKey(one(word, values));
				case "limitKey" -> filter.limitKey(one(word, values));
				case "batch" -> filter.batch(id(word, one(word, values)));
				case "flow" -> filter.flow(id(word, one(word, values)));
				case "worker" -> filter.worker(id(word, one(word, values)));
				case "priority" -> filter.priority(NumberRange.parse(word, one(word, values)));
				case "attempt" -> filter.attempts(NumberRange.parse(word, one(word, values)));
				case "created" -> filter.created(range(word, one(word, values)));
				case "due" -> filter.due(range(word, one(word, values)));
				case "started" -> filter.started(range(word, one(word, values)));
				case "ended" -> filter.ended(range(word, one(word, values)));
				case "error" -> filter.error(one(word, values));
				case "-error" -> values.forEach(filter::exceptError);
				case "q" -> filter.text(one(word, values));
				case "tag" -> values.forEach(filter::tag);
				case "header" -> values.forEach((value) -> pair(word, "tenant=blue", value, filter::header));
				case "payload" -> values.forEach((value) -> pair(word, "user.id=42", value, filter::payload));
				default -> throw new IllegalArgumentException("'" + word
						+ "' is not a word of a filter; the words are: " + String.join(", ", JobFilter.WORDS));
			}
		});
		return filter.build();
	}

	private static String one(String word, Collection<String> values) {
		if (values.size() != 1) {
			throw new IllegalArgumentException(word + " can be given only once");
		}
		return values.iterator().next();
	}

	private static long id(String word, String value) {
		try {
			long id = Long.parseLong(value);
			if (id > 0) {
				return id;
			}
		}
		catch (NumberFormatException ex) {
			throw new IllegalArgumentException(word + " must be an id, a number", ex);
		}
		throw new IllegalArgumentException(word + " must be an id, a positive number");
	}

	private static void pair(String word, String example, String value, BiConsumer<String, String> filter) {
		int equals = value.indexOf('=');
		if (equals < 1) {
			throw new IllegalArgumentException(word + " must be a name and a value, such as " + example);
		}
		filter.accept(value.substring(0, equals), value.substring(equals + 1));
	}

	/** Reads two times with two dots between them; one of the times is optional. */
	private static TimeRange range(String word, String value) {
		int dots = value.indexOf("..");
		if (dots < 0 || value.length() == 2) {
			throw new IllegalArgumentException(word
					+ " must be a time range such as 2026-11-22T10:00Z..2026-11-22T12:00Z, 2026-11-22T10:00Z.. or ..2026-11-22T12:00Z");
		}
		return new TimeRange(time(word, value.substring(0, dots)), time(word, value.substring(dots + 2)));
	}

	private static @Nullable Instant time(String word, String value) {
		return value.isEmpty() ? null : Times.parse("each end of " + word, value);
	}

}

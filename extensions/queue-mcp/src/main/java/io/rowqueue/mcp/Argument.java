package io.rowqueue.mcp;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;

import io.rowqueue.admin.filter.JobFilter;

/**
 * An argument of a tool.
 *
 * @param name its name
 * @param required whether each call must have it
 * @param schema its JSON schema
 */
record Argument(String name, boolean required, Map<String, Object> schema) {

	private static final int LONGEST = 1000;

	static Argument text(String name, String description) {
		return new Argument(name, false,
				Map.of("type", "string", "maxLength", LONGEST, "minLength", 1, "description", description));
	}

	static Argument number(String name, long min, long max, String description) {
		return new Argument(name, false,
				Map.of("type", "integer", "minimum", min, "maximum", max, "description", description));
	}

	static Argument choice(String name, String description, String... values) {
		return new Argument(name, false, Map.of("type", "string", "enum", List.of(values), "description", description));
	}

	/** The words of a filter, as the pages of the dashboard have them. */
	static Argument filter() {
		Map<String, Object> value = Map.of("type", List.of("string", "array"), "items", Map.of("type", "string"));
		Map<String, Object> words = new TreeMap<>(
				JobFilter.WORDS.stream().collect(Collectors.toMap(Function.identity(), (word) -> value)));
		return new Argument("filter", false, Map.of("type", "object", "additionalProperties", false, "properties",
				words, "description",
				"""
						Words that must all hold. state: blocked, scheduled, retrying, waiting, queued, starting, running, stuck, \
						failed, succeeded or cancelled; without it, all that have not finished, failed ones included. queue, type \
						and id: a name or id, or a list of which one must match. A word with a minus leaves out. attempt and \
						priority: 3, >3 or 1..3. created, due, started, ended: times such as 2026-11-22T10:00Z..2026-11-22T12:00Z. \
						error: the fingerprint of a failure. tag: such as customer:42. payload: a path and a value, such as user.id=42. Words that select by content (q, key, \
						limitKey, a text in error, tag, header, payload) need the right to see payloads."""));
	}

	Argument asRequired() {
		return new Argument(this.name, true, this.schema);
	}

}

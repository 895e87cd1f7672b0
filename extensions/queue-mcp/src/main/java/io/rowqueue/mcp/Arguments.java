package io.rowqueue.mcp;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

import io.rowqueue.dashboard.http.PathNames;
import org.jspecify.annotations.Nullable;

/**
 * The arguments of a call, which the schema of the tool has admitted.
 *
 * @param values their values, by name
 */
record Arguments(Map<String, Object> values) {

	/** Returns a text or a number as text; {@code null}: it is not given. */
	@Nullable String text(String name) {
		Object value = this.values.get(name);
		return (value instanceof Number number) ? String.valueOf(number.longValue()) : (String) value;
	}

	/** Returns an argument that the tool requires. */
	String required(String name) {
		return Objects.requireNonNull(text(name), name);
	}

	/** Returns an argument as a segment of a path. */
	String segment(String name) {
		return PathNames.encode(required(name));
	}

	/** Returns those of some arguments that are given, as parameters of a query. */
	Map<String, List<String>> parameters(String... names) {
		Map<String, List<String>> parameters = new TreeMap<>();
		for (String name : names) {
			String value = text(name);
			if (value != null) {
				parameters.put(name, List.of(value));
			}
		}
		return parameters;
	}

	/** Returns the words of a filter, each with a text or several, as parameters. */
	Map<String, List<String>> filter() {
		Map<String, List<String>> words = new TreeMap<>();
		if (this.values.get("filter") instanceof Map<?, ?> filter) {
			filter.forEach((word, value) -> words.put(String.valueOf(word), (value instanceof List<?> several)
					? several.stream().map(String::valueOf).toList() : List.of(String.valueOf(value))));
		}
		return words;
	}

}

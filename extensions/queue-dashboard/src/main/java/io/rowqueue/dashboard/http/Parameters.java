package io.rowqueue.dashboard.http;

import java.util.List;
import java.util.Map;
import java.util.Set;

import org.jspecify.annotations.Nullable;

/** The parameters of a query, each of which must be known to its resource. */
public final class Parameters {

	private static final int MAX_VALUES = 200;

	private static final int MAX_LENGTH = 2000;

	private final Map<String, List<String>> values;

	Parameters(Map<String, List<String>> values, Set<String> known) {
		values.forEach((name, all) -> check(name, all, known));
		this.values = values;
	}

	/** A typo in a filter would otherwise select everything. */
	private static void check(String name, List<String> all, Set<String> known) {
		if (!known.contains(name)) {
			throw Problem.invalid(name, known.isEmpty() ? "this resource has no parameters"
					: "there is no such parameter; there are " + String.join(", ", known.stream().sorted().toList()));
		}
		if (all.size() > MAX_VALUES) {
			throw Problem.invalid(name, "at most " + MAX_VALUES + " values");
		}
		if (all.stream().anyMatch((value) -> value.length() > MAX_LENGTH)) {
			throw Problem.invalid(name, "at most " + MAX_LENGTH + " characters");
		}
		if (!all.stream().allMatch(StorableText::is)) {
			throw Problem.invalid(name, StorableText.REASON);
		}
	}

	/** Returns the values of a parameter that may be repeated. */
	public List<String> all(String name) {
		return List.copyOf(this.values.getOrDefault(name, List.of()));
	}

	/** Returns the value of a parameter. */
	public @Nullable String one(String name) {
		List<String> all = all(name);
		if (all.size() > 1) {
			throw Problem.invalid(name, "must be given once");
		}
		return all.isEmpty() ? null : all.get(0);
	}

	/** Returns the value of a parameter that is a number. */
	public long number(String name, long fallback, long min, long max) {
		String value = one(name);
		if (value == null) {
			return fallback;
		}
		try {
			long number = Long.parseLong(value);
			if (number >= min && number <= max) {
				return number;
			}
		}
		catch (NumberFormatException ex) {
			throw Problem.invalid(name, "must be a number, not '" + value + "'");
		}
		throw Problem.invalid(name, "must be from " + min + " to " + max);
	}

	/** Returns all of them. */
	public Map<String, List<String>> asMap() {
		return this.values;
	}

}

package io.rowqueue.migration;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

import io.rowqueue.schema.SchemaPart;

/**
 * The installed version of each part of a schema, as the table {@code schema_version}
 * contains it; written as {@code core:5,schedules:1}.
 *
 * @param installed the version by the name of the part; also of parts that are not on the
 * class path of this process, which are left as they are
 */
record SchemaVersions(Map<String, Integer> installed) {

	static final SchemaVersions NONE = new SchemaVersions(Map.of());

	private static final Pattern PART = Pattern.compile("([a-z][a-z0-9_-]*):(\\d{1,9})");

	SchemaVersions {
		installed = Map.copyOf(installed);
	}

	/** Returns the versions that this library requires. */
	static SchemaVersions newest() {
		return new SchemaVersions(
				SchemaPart.all().stream().collect(Collectors.toMap(SchemaPart::name, SchemaPart::newestVersion)));
	}

	static SchemaVersions parse(String text) {
		Map<String, Integer> versions = new TreeMap<>();
		for (String part : text.split(",")) {
			Matcher matcher = PART.matcher(part.strip());
			if (!matcher.matches()) {
				throw new IllegalArgumentException(
						"'" + text + "' does not name versions of parts, such as " + newest());
			}
			versions.put(matcher.group(1), Integer.parseInt(matcher.group(2)));
		}
		return new SchemaVersions(versions);
	}

	/** Returns the version of a part, or 0 if it is not installed. */
	int of(SchemaPart part) {
		return this.installed.getOrDefault(part.name(), 0);
	}

	boolean hasCore() {
		return of(SchemaPart.core()) != 0;
	}

	/** Returns the parts that have to be created or upgraded. */
	List<SchemaPart> older() {
		return parts((part) -> of(part) < part.newestVersion());
	}

	/** Returns the parts that this library is too old for. */
	List<SchemaPart> newer() {
		return parts((part) -> of(part) > part.newestVersion());
	}

	/** Describes parts, their installed versions and those of this library. */
	String describe(List<SchemaPart> parts) {
		List<String> texts = new ArrayList<>();
		for (SchemaPart part : parts) {
			texts.add(part + ((of(part) != 0) ? " at version " + of(part) : " is missing")
					+ " (this library has version " + part.newestVersion() + ")");
		}
		return String.join(", ", texts);
	}

	private static List<SchemaPart> parts(Predicate<SchemaPart> condition) {
		return SchemaPart.all().stream().filter(condition).toList();
	}

	@Override
	public String toString() {
		return new TreeMap<>(this.installed).entrySet()
			.stream()
			.map((part) -> part.getKey() + ":" + part.getValue())
			.collect(Collectors.joining(","));
	}

}

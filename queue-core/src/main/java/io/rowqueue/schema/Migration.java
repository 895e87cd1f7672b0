package io.rowqueue.schema;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A file of the schema. A versioned one, {@code V<version>__<description>.sql}, creates
 * or changes tables, runs once, and writes its version to the table
 * {@code schema_version}. A repeatable one, {@code R__<description>.sql}, creates a
 * function or views, or replaces them: all of them run after the versioned ones of an
 * upgrade.
 *
 * @param version 1 for the first versioned one, {@value #NONE} for a repeatable one
 * @param file the name of its file
 */
record Migration(int version, String file) {

	/** The folder of the files; the file {@code index} lists them in order. */
	static final String LOCATION = "io/rowqueue/schema/migration";

	static final int NONE = 0;

	private static final Pattern FILE_NAME = Pattern.compile("(?:V(\\d+)|R)__\\w+\\.sql");

	private static final List<Migration> ALL = read("index").lines().map(Migration::of).toList();

	static Migration of(String file) {
		Matcher matcher = FILE_NAME.matcher(file);
		if (!matcher.matches()) {
			throw new IllegalStateException("'" + file + "' is not the name of a migration");
		}
		String version = matcher.group(1);
		return new Migration((version != null) ? Integer.parseInt(version) : NONE, file);
	}

	/** Returns all migrations, in the order in which Flyway runs them. */
	static List<Migration> all() {
		return ALL;
	}

	/**
	 * Returns the migrations that a schema of the given version lacks, in order; none if
	 * it has the newest version.
	 */
	static List<Migration> after(int version) {
		if (version >= newestVersion()) {
			return List.of();
		}
		return ALL.stream().filter((migration) -> migration.isRepeatable() || migration.version() > version).toList();
	}

	/** Returns the version that this library requires. */
	static int newestVersion() {
		return ALL.stream().mapToInt(Migration::version).max().orElseThrow();
	}

	/** Returns the names of the tables, views or functions that the migrations create. */
	static List<String> names(String kind) {
		return List.copyOf(Created.NAMES.getOrDefault(kind, Set.of()));
	}

	boolean isRepeatable() {
		return this.version == NONE;
	}

	String sql() {
		return read(this.file);
	}

	/** What the migrations create, by kind, read once when it is first asked for. */
	private static final class Created {

		private static final Pattern CREATE = Pattern.compile("create (?:or replace )?(\\w+) (\\w+).*");

		private static final Map<String, Set<String>> NAMES = new HashMap<>();

		static {
			for (Migration migration : ALL) {
				migration.sql().lines().filter((line) -> line.startsWith("create ")).forEach(Created::add);
			}
		}

		private static void add(String line) {
			Matcher created = CREATE.matcher(line);
			if (created.matches()) {
				NAMES.computeIfAbsent(created.group(1), (kind) -> new LinkedHashSet<>()).add(created.group(2));
			}
		}

	}

	private static String read(String file) {
		try (InputStream in = Migration.class.getClassLoader().getResourceAsStream(LOCATION + "/" + file)) {
			if (in == null) {
				throw new IllegalStateException(LOCATION + "/" + file + " is not on the class path");
			}
			return new String(in.readAllBytes(), StandardCharsets.UTF_8);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

}

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

import org.jspecify.annotations.Nullable;

/**
 * The migrations of one part of the schema, read when they are first asked for.
 *
 * @since 0.1.0
 */
public final class Migrations {

	private static final Pattern CREATE = Pattern.compile("create (?:or replace |unlogged )?(\\w+) (\\w+).*");

	private final String location;

	private volatile @Nullable List<Migration> all;

	private volatile @Nullable Map<String, Set<String>> created;

	/**
	 * Creates an instance.
	 * @param location the folder of the files on the class path; the file {@code index}
	 * lists them in order
	 */
	Migrations(String location) {
		this.location = location;
	}

	/**
	 * Returns the folder of the files.
	 * @return its place on the class path
	 */
	public String location() {
		return this.location;
	}

	/**
	 * Returns all migrations.
	 * @return the migrations, in the order in which Flyway runs them
	 */
	public List<Migration> all() {
		List<Migration> migrations = this.all;
		if (migrations == null) {
			migrations = read("index").lines().map(Migration::of).toList();
			this.all = migrations;
		}
		return migrations;
	}

	/**
	 * Returns the migrations that a schema lacks.
	 * @param version the version of the schema, or 0 if there is none
	 * @return the migrations, in order; none if it is the newest version
	 */
	public List<Migration> after(int version) {
		if (version >= newestVersion()) {
			return List.of();
		}
		return all().stream().filter((migration) -> migration.isRepeatable() || migration.version() > version).toList();
	}

	int newestVersion() {
		return all().stream().mapToInt(Migration::version).max().orElseThrow();
	}

	/** Returns the names of the tables, views or functions that the migrations create. */
	Set<String> names(String kind) {
		Map<String, Set<String>> names = this.created;
		if (names == null) {
			names = new HashMap<>();
			for (Migration migration : all()) {
				add(sql(migration), names);
			}
			this.created = names;
		}
		return names.getOrDefault(kind, Set.of());
	}

	/**
	 * Returns the content of a file.
	 * @param migration one of these migrations
	 * @return its statements, which name no schema
	 */
	public String sql(Migration migration) {
		return read(migration.file());
	}

	private static void add(String sql, Map<String, Set<String>> names) {
		sql.lines().filter((line) -> line.startsWith("create ")).forEach((line) -> {
			Matcher created = CREATE.matcher(line);
			if (created.matches()) {
				names.computeIfAbsent(created.group(1), (kind) -> new LinkedHashSet<>()).add(created.group(2));
			}
		});
	}

	private String read(String file) {
		String name = this.location + "/" + file;
		try (InputStream in = Migrations.class.getClassLoader().getResourceAsStream(name)) {
			if (in == null) {
				throw new IllegalStateException(name + " is not on the class path");
			}
			return new String(in.readAllBytes(), StandardCharsets.UTF_8);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/**
	 * A file of the schema. A versioned one, {@code V<version>__<description>.sql},
	 * creates or changes tables, runs once, and writes its version to the table
	 * {@code schema_version}. A repeatable one, {@code R__<description>.sql}, creates
	 * functions or views, or replaces them: all of them run after the versioned ones of
	 * an upgrade.
	 *
	 * @param version 1 for the first versioned one, 0 for a repeatable one
	 * @param file the name of its file
	 */
	public record Migration(int version, String file) {

		static final int NONE = 0;

		private static final Pattern FILE_NAME = Pattern.compile("(?:V(\\d+)|R)__\\w+\\.sql");

		static Migration of(String file) {
			Matcher matcher = FILE_NAME.matcher(file);
			if (!matcher.matches()) {
				throw new IllegalStateException("'" + file + "' is not the name of a migration");
			}
			String version = matcher.group(1);
			return new Migration((version != null) ? Integer.parseInt(version) : NONE, file);
		}

		/**
		 * Returns whether it runs with each upgrade.
		 * @return {@code false} if it runs once
		 */
		public boolean isRepeatable() {
			return this.version == NONE;
		}

	}

}

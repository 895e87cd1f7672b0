package io.pgqueue.schema;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A migration of the schema: a file {@code V<version>__<description>.sql}, which also
 * writes its version to the table {@code schema_version}.
 *
 * @param version the version, starting with 1
 * @param file the name of the file
 */
record Migration(int version, String file) {

	/** The folder of the files; the file {@code index} lists them. */
	static final String LOCATION = "io/pgqueue/schema/migration";

	private static final Pattern FILE_NAME = Pattern.compile("V(\\d+)__\\w+\\.sql");

	private static final List<Migration> ALL = read("index").lines().map(Migration::of).toList();

	static Migration of(String file) {
		Matcher matcher = FILE_NAME.matcher(file);
		if (!matcher.matches()) {
			throw new IllegalStateException("'" + file + "' is not the name of a migration");
		}
		return new Migration(Integer.parseInt(matcher.group(1)), file);
	}

	/** Returns all migrations, in order. */
	static List<Migration> all() {
		return ALL;
	}

	/** Returns the migrations that a schema of the given version lacks, in order. */
	static List<Migration> after(int version) {
		return ALL.stream().filter((migration) -> migration.version() > version).toList();
	}

	/** Returns the version that this library requires. */
	static int newestVersion() {
		return ALL.get(ALL.size() - 1).version();
	}

	/** Returns the names of the functions, or views, that the migrations create. */
	static List<String> names(String kind) {
		return ALL.stream()
			.flatMap((migration) -> Pattern.compile("(?m)^create (?:or replace )?" + kind + " (\\w+)")
				.matcher(migration.sql())
				.results())
			.map((created) -> created.group(1))
			.distinct()
			.toList();
	}

	String sql() {
		return read(this.file);
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

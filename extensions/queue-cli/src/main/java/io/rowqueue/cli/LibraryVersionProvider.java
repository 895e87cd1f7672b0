package io.rowqueue.cli;

import java.util.TreeMap;
import java.util.stream.Collectors;

import io.rowqueue.engine.admin.LibraryVersion;
import io.rowqueue.migration.QueueSchema;
import picocli.CommandLine.IVersionProvider;

/** Returns the versions of the library and of the schema that it requires. */
final class LibraryVersionProvider implements IVersionProvider {

	@Override
	public String[] getVersion() {
		return new String[] { "rowqueue " + LibraryVersion.get(), "schema: " + schemaVersions() };
	}

	/** Describes the versions of the parts of the schema that this program knows. */
	static String schemaVersions() {
		return new TreeMap<>(QueueSchema.newestVersions()).entrySet()
			.stream()
			.map((part) -> part.getKey() + " " + part.getValue())
			.collect(Collectors.joining(", "));
	}

}

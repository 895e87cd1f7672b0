package io.pgqueue.cli;

import java.io.IOException;
import java.io.InputStream;
import java.util.Objects;
import java.util.Properties;

import io.pgqueue.schema.QueueSchema;
import picocli.CommandLine.IVersionProvider;

/** Returns the versions of the library and of the schema that it requires. */
final class LibraryVersionProvider implements IVersionProvider {

	@Override
	public String[] getVersion() throws IOException {
		Properties properties = new Properties();
		try (InputStream file = QueueSchema.class.getResourceAsStream("/io/pgqueue/version.properties")) {
			properties.load(Objects.requireNonNull(file));
		}
		return new String[] { "pgqueue " + properties.getProperty("version"),
				"schema version " + QueueSchema.newestVersion() };
	}

}

package io.pgqueue.engine.admin;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Objects;
import java.util.Properties;

/** The version that the build wrote into a file: a manifest gets lost in a fat jar. */
final class LibraryVersion {

	private static final String FILE = "/io/pgqueue/version.properties";

	private LibraryVersion() {
	}

	static String get() {
		Properties properties = new Properties();
		try (InputStream file = LibraryVersion.class.getResourceAsStream(FILE)) {
			properties.load(Objects.requireNonNull(file, FILE));
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		return properties.getProperty("version");
	}

}

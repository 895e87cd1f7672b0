package io.rowqueue.engine.admin;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Objects;
import java.util.Properties;

/** The version in a file of the build, since a manifest is lost in a repackaged jar. */
public final class LibraryVersion {

	private static final String FILE = "/io/rowqueue/version.properties";

	private LibraryVersion() {
	}

	/** Returns the version of this library. */
	public static String get() {
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

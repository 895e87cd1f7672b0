package io.rowqueue.sample;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;

import org.springframework.boot.system.ApplicationHome;
import org.springframework.stereotype.Component;

/** The directory of the application's files. */
@Component
public class DataDirectory {

	private final Path path;

	DataDirectory(SampleProperties properties) {
		this.path = Objects.requireNonNullElseGet(properties.dataDir(), DataDirectory::besideTheCode)
			.toAbsolutePath()
			.normalize();
	}

	/** The default does not depend on the working directory. */
	private static Path besideTheCode() {
		Path code = new ApplicationHome(SampleApplication.class).getDir().toPath();
		return (code.endsWith("classes") ? code.resolveSibling("sample-data") : code.resolve("sample-data"));
	}

	/**
	 * Returns the directory.
	 * @return the absolute path
	 */
	public Path path() {
		return this.path;
	}

	/**
	 * Creates a directory in it, if it does not exist, and returns it.
	 * @param name the name of the directory
	 * @return the absolute path
	 */
	public Path directory(String name) {
		try {
			return Files.createDirectories(this.path.resolve(name));
		}
		catch (IOException ex) {
			throw new UncheckedIOException("Cannot create a directory in sample.data-dir " + this.path, ex);
		}
	}

}

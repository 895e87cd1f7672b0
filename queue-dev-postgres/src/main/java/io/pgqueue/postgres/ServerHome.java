package io.pgqueue.postgres;

import java.io.IOException;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Optional;
import java.util.Properties;

/**
 * The directory in which the users and the keeper of one server meet. Facts are only
 * trusted under {@link #lock()}: whoever holds it may start a keeper, stop the server or
 * hand it over.
 */
record ServerHome(Path directory) {

	ServerHome {
		PrivateDirectory.create(directory);
	}

	DirectoryLock lock() {
		return DirectoryLock.acquire(this.directory);
	}

	Path keeperLog() {
		return this.directory.resolve("keeper.log");
	}

	Path serverLog() {
		return this.directory.resolve("server.log");
	}

	/**
	 * The superuser's password, which lasts as long as the data.
	 * @throws IllegalStateException if there is data, but no password
	 */
	String password(Path data) {
		Path file = this.directory.resolve("password");
		try {
			if (Files.exists(file)) {
				return Files.readString(file);
			}
			if (Files.exists(data)) {
				throw new IllegalStateException("The data in " + data
						+ " is of a server without a password: delete the directory " + this.directory);
			}
			String password = Passwords.random();
			Files.writeString(PrivateDirectory.createFile(file), password);
			return password;
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	Optional<ServerFacts> facts() {
		Path file = factsFile();
		if (!Files.exists(file)) {
			return Optional.empty();
		}
		try (Reader reader = Files.newBufferedReader(file)) {
			Properties properties = new Properties();
			properties.load(reader);
			return Optional.of(ServerFacts.of(properties));
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	void publish(ServerFacts facts) {
		Path unfinished = this.directory.resolve("server.properties.new");
		try {
			Files.deleteIfExists(unfinished);
			try (Writer writer = Files.newBufferedWriter(PrivateDirectory.createFile(unfinished))) {
				facts.toProperties().store(writer, null);
			}
			Files.move(unfinished, factsFile(), StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	void forgetFacts() {
		delete(factsFile());
	}

	/** The last user said good-bye: nobody need wait for another one. */
	void markLeft() {
		write(leftFile(), "");
	}

	boolean isLeft() {
		return Files.exists(leftFile());
	}

	void forgetLeft() {
		delete(leftFile());
	}

	void reportFailure(String message) {
		write(failureFile(), message);
	}

	Optional<String> failure() {
		try {
			return Files.exists(failureFile()) ? Optional.of(Files.readString(failureFile())) : Optional.empty();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	void forgetFailure() {
		delete(failureFile());
	}

	private Path factsFile() {
		return this.directory.resolve("server.properties");
	}

	private Path leftFile() {
		return this.directory.resolve("left");
	}

	private Path failureFile() {
		return this.directory.resolve("failure");
	}

	private static void write(Path file, String content) {
		try {
			Files.writeString(file, content);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private static void delete(Path file) {
		try {
			Files.deleteIfExists(file);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

}

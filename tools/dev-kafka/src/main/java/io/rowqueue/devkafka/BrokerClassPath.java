package io.rowqueue.devkafka;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The class path of the broker's process. Its jars are resources of this module; they are
 * copied to a directory of this user if they are inside another jar.
 */
final class BrokerClassPath {

	private static final String JARS = "broker/jars";

	private static final String PROGRAM = "BrokerProcess.class";

	private BrokerClassPath() {
	}

	/** The version of the broker. */
	static String version() {
		String prefix = "kafka_2.13-";
		return jars().stream()
			.filter((jar) -> jar.startsWith(prefix))
			.map((jar) -> jar.substring(prefix.length(), jar.length() - ".jar".length()))
			.findFirst()
			.orElseThrow(() -> new IllegalStateException("This module was packed without a broker"));
	}

	/** The class path, as {@code java -cp} takes it. */
	static String get() {
		Path root = root();
		Path directory = root.resolve("io/rowqueue/devkafka/broker");
		return Stream.concat(Stream.of(root), jars().stream().map(directory::resolve))
			.map(Path::toString)
			.collect(Collectors.joining(File.pathSeparator));
	}

	private static List<String> jars() {
		try (InputStream list = open(JARS)) {
			String paths = new String(list.readAllBytes(), StandardCharsets.UTF_8).strip();
			return Stream.of(paths.split(":")).map((path) -> path.substring(path.lastIndexOf('/') + 1)).toList();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private static Path root() {
		URL program = Objects.requireNonNull(BrokerClassPath.class.getResource(PROGRAM));
		if (!program.getProtocol().equals("file")) {
			return unpacked();
		}
		try {
			return Path.of(program.toURI()).resolve("../../../..").normalize();
		}
		catch (URISyntaxException ex) {
			throw new IllegalStateException(ex);
		}
	}

	/** A directory that is complete if it exists. */
	private static Path unpacked() {
		Path home = Directories.ofThisUser();
		Path complete = home.resolve("broker-" + version() + "-" + Integer.toHexString(jars().hashCode()));
		if (Files.isDirectory(complete)) {
			return complete;
		}
		try {
			Path copy = Files.createTempDirectory(home, "unpacking");
			Path directory = Files.createDirectories(copy.resolve("io/rowqueue/devkafka/broker"));
			for (String jar : jars()) {
				copy("broker/" + jar, directory.resolve(jar));
			}
			copy(PROGRAM, directory.resolveSibling(PROGRAM));
			try {
				Files.move(copy, complete, StandardCopyOption.ATOMIC_MOVE);
			}
			catch (IOException ex) {
				if (!Files.isDirectory(complete)) {
					throw ex;
				}
				// another process was faster
				Directories.delete(copy);
			}
			return complete;
		}
		catch (IOException ex) {
			throw new UncheckedIOException("Cannot unpack the broker in " + home, ex);
		}
	}

	private static void copy(String resource, Path file) throws IOException {
		try (InputStream content = open(resource)) {
			Files.copy(content, file);
		}
		catch (FileAlreadyExistsException ex) {
			throw new IOException("Another process writes to " + file.getParent(), ex);
		}
	}

	private static InputStream open(String resource) {
		InputStream content = BrokerClassPath.class.getResourceAsStream(resource);
		if (content == null) {
			throw new IllegalStateException(resource + " is missing in this module: build it with Maven");
		}
		return content;
	}

}

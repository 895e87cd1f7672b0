package io.rowqueue.devkafka;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** Directories that only this user can write: a program is started from one of them. */
final class Directories {

	private static final String PERMISSIONS = "rwx------";

	private Directories() {
	}

	/** The directory of this user for what several processes use. */
	static Path ofThisUser() {
		Path directory = Path.of(System.getProperty("java.io.tmpdir"),
				"rowqueue-kafka-" + System.getProperty("user.name"));
		try {
			if (!Files.exists(directory, LinkOption.NOFOLLOW_LINKS)) {
				Files.createDirectories(directory, attributes(directory));
			}
			check(directory);
			return directory;
		}
		catch (IOException ex) {
			throw new UncheckedIOException("Cannot create " + directory, ex);
		}
	}

	/** An empty directory. */
	static Path temporary() {
		try {
			return Files.createTempDirectory("rowqueue-kafka");
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/** Deletes a directory and all that is in it. */
	static void delete(Path directory) {
		try (Stream<Path> files = Files.walk(directory)) {
			List<Path> deepestFirst = files.sorted(Comparator.reverseOrder()).toList();
			for (Path file : deepestFirst) {
				Files.deleteIfExists(file);
			}
		}
		catch (IOException ex) {
			throw new UncheckedIOException("Cannot delete " + directory, ex);
		}
	}

	private static void check(Path directory) throws IOException {
		boolean isPrivate = Files.isDirectory(directory, LinkOption.NOFOLLOW_LINKS) && (!isPosix(directory)
				|| PosixFilePermissions.toString(Files.getPosixFilePermissions(directory, LinkOption.NOFOLLOW_LINKS))
					.equals(PERMISSIONS));
		Path own = Files.createTempFile("owner", null);
		try {
			if (!isPrivate || !Files.getOwner(own).equals(Files.getOwner(directory, LinkOption.NOFOLLOW_LINKS))) {
				throw new IllegalStateException("Kafka does not run from " + directory
						+ ": other users may write to it. Delete it; it is created again for this user alone");
			}
		}
		finally {
			Files.delete(own);
		}
	}

	private static FileAttribute<?>[] attributes(Path path) {
		return isPosix(path)
				? new FileAttribute<?>[] {
						PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(PERMISSIONS)) }
				: new FileAttribute<?>[0];
	}

	private static boolean isPosix(Path path) {
		return path.getFileSystem().supportedFileAttributeViews().contains("posix");
	}

}

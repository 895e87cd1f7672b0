package io.rowqueue.postgres;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;

/**
 * Directories and files that no other user of this machine can write: programs that are
 * started from them, and logs that are written to them, are those of this user.
 */
public final class PrivateDirectory {

	/**
	 * The server of root may run under another account, which passes but does not list.
	 */
	private static final String PERMISSIONS = "rwx--x--x";

	private PrivateDirectory() {
	}

	/**
	 * Creates a directory that only this user can write, or checks that an existing one
	 * is.
	 * @param directory the directory; its parents are created as well
	 * @return the directory
	 * @throws IllegalStateException if it is a link or no directory, belongs to another
	 * user, or other users may write to it
	 */
	public static Path create(Path directory) {
		try {
			if (!Files.exists(directory, LinkOption.NOFOLLOW_LINKS)) {
				Path parent = directory.getParent();
				if (parent != null) {
					Files.createDirectories(parent);
				}
				Files.createDirectories(directory, attributes(directory, PERMISSIONS));
			}
			check(directory);
			return directory;
		}
		catch (IOException ex) {
			throw new UncheckedIOException("Cannot create " + directory, ex);
		}
	}

	/** Creates an empty file that only this user can read. */
	static Path createFile(Path file) throws IOException {
		return Files.createFile(file, attributes(file, "rw-------"));
	}

	private static void check(Path directory) throws IOException {
		if (!Files.isDirectory(directory, LinkOption.NOFOLLOW_LINKS)) {
			throw refused(directory, "it is a link or no directory");
		}
		if (!isPosix(directory)) {
			return; // the profile of a Windows user is private by inheritance
		}
		Set<PosixFilePermission> permissions = Files.getPosixFilePermissions(directory, LinkOption.NOFOLLOW_LINKS);
		if (permissions.contains(PosixFilePermission.GROUP_WRITE)
				|| permissions.contains(PosixFilePermission.OTHERS_WRITE)) {
			throw refused(directory,
					"other users may write to it (" + PosixFilePermissions.toString(permissions) + ")");
		}
		if (!isOwn(directory)) {
			throw refused(directory, "it belongs to " + Files.getOwner(directory, LinkOption.NOFOLLOW_LINKS));
		}
	}

	/** The owner of a new file is this user, whatever the name of the account. */
	private static boolean isOwn(Path directory) throws IOException {
		Path own = Files.createTempFile("owner", null);
		try {
			return Files.getOwner(own).equals(Files.getOwner(directory, LinkOption.NOFOLLOW_LINKS));
		}
		finally {
			Files.delete(own);
		}
	}

	private static IllegalStateException refused(Path directory, String reason) {
		return new IllegalStateException("PostgreSQL does not run from " + directory + ": " + reason
				+ ". Delete the directory; it is created again for this user alone");
	}

	private static FileAttribute<?>[] attributes(Path path, String permissions) {
		return isPosix(path)
				? new FileAttribute<?>[] {
						PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(permissions)) }
				: new FileAttribute<?>[0];
	}

	private static boolean isPosix(Path path) {
		return path.getFileSystem().supportedFileAttributeViews().contains("posix");
	}

}

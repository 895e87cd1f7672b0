package io.rowqueue.lab.verify.worker;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;

/**
 * The classes of worker processes as the JVM keeps them. A process that has them starts
 * with about two thirds of the CPU, and dozens are started in a run. One that ends in
 * good order writes them, if there are none yet.
 */
public final class ClassArchive {

	private final Path file;

	/**
	 * Creates the archive of a run.
	 * @param directory where the run has its files
	 */
	public ClassArchive(Path directory) {
		this.file = directory.resolve("workers.jsa");
	}

	/** Deletes what an earlier run has written, which may be of other classes. */
	public void delete() {
		try {
			Files.deleteIfExists(this.file);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/**
	 * Options of the JVM of a process that begins.
	 * @param written where it is to write the classes when it ends, if there are none
	 */
	List<String> options(Path written) {
		return exists() ? List.of("-XX:SharedArchiveFile=" + this.file)
				: List.of("-XX:ArchiveClassesAtExit=" + written, "-Xlog:disable", "-Xlog:all=error");
	}

	/** Whether a process has written the classes. */
	boolean exists() {
		return Files.exists(this.file);
	}

	/**
	 * Keeps the classes that a process has written, all at once: another one may begin.
	 * @param written where it was to write them
	 */
	void keep(Path written) {
		try {
			if (Files.exists(written)) {
				Files.move(written, this.file, StandardCopyOption.ATOMIC_MOVE);
			}
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

}

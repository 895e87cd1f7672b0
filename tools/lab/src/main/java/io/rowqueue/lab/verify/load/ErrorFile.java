package io.rowqueue.lab.verify.load;

import java.io.FileWriter;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;

/** Why enqueues failed: a line for each, and where it happened. */
final class ErrorFile implements AutoCloseable {

	private static final String SUFFIX = ".errors";

	private final PrintWriter file;

	private ErrorFile(PrintWriter file) {
		this.file = file;
	}

	/** Opens the file of a process in the directory of a round. */
	static ErrorFile open(Path directory, String process) {
		try {
			return new ErrorFile(new PrintWriter(
					new FileWriter(directory.resolve(process + SUFFIX).toFile(), StandardCharsets.UTF_8, true), true));
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/**
	 * Appends why an enqueue failed.
	 * @param numbers what was enqueued together
	 */
	synchronized void append(List<Integer> numbers, Throwable error) {
		this.file
			.println(System.nanoTime() + "\t" + numbers + "\t" + String.valueOf(error).lines().findFirst().orElse(""));
		error.printStackTrace(this.file);
		if (this.file.checkError()) {
			throw new IllegalStateException("The errors of the enqueues cannot be written down", error);
		}
	}

	@Override
	public void close() {
		this.file.close();
	}

}

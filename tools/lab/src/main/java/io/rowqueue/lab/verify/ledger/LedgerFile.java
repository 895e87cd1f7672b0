package io.rowqueue.lab.verify.ledger;

import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A file to which one process appends. Each entry is one write to the operating system,
 * so that it survives the death of the process, however sudden.
 */
public final class LedgerFile implements AutoCloseable {

	private static final String SUFFIX = ".ledger";

	private final String process;

	/** Not a channel: an interrupt of the thread that writes would close it. */
	private final OutputStream file;

	private LedgerFile(String process, OutputStream file) {
		this.process = process;
		this.file = file;
	}

	/** Opens the ledger of a process in a directory. */
	public static LedgerFile open(Path directory, String process) {
		try {
			Files.createDirectories(directory);
			return new LedgerFile(process, new FileOutputStream(path(directory, process).toFile(), true));
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/** Where the ledger of a process is. */
	public static Path path(Path directory, String process) {
		return directory.resolve(process + SUFFIX);
	}

	/** Appends something about the process itself. */
	public void append(Event event) {
		append(event, 0, 0, 0, 0, 0);
	}

	/**
	 * Appends something about the enqueue of a job.
	 * @param batch the first number of those that are enqueued together
	 */
	public void append(Event event, int number, int batch, long job) {
		append(event, number, batch, job, 0, 0);
	}

	/** Appends something about an attempt of a job. */
	public void append(Event event, int number, long job, int attempt, int lease) {
		append(event, number, 0, job, attempt, lease);
	}

	private void append(Event event, int number, int batch, long job, int attempt, int lease) {
		Entry entry = new Entry(System.nanoTime(), this.process, event, number, batch, job, attempt, lease);
		try {
			this.file.write(entry.toLine().getBytes(StandardCharsets.US_ASCII));
		}
		catch (IOException ex) {
			throw new UncheckedIOException("The ledger is not to be trusted any more", ex);
		}
	}

	/** Reads a ledger, or all of a directory, in the order of time. */
	public static List<Entry> read(Path place) {
		if (Files.isRegularFile(place)) {
			return entries(place).toList();
		}
		try (Stream<Path> files = Files.list(place)) {
			return files.filter((file) -> file.toString().endsWith(SUFFIX))
				.flatMap(LedgerFile::entries)
				.sorted(Comparator.comparingLong(Entry::nanos))
				.toList();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private static Stream<Entry> entries(Path file) {
		String name = String.valueOf(file.getFileName());
		String process = name.substring(0, name.length() - SUFFIX.length());
		try {
			return Files.readAllLines(file, StandardCharsets.US_ASCII)
				.stream()
				.map((line) -> Entry.parse(process, line))
				.flatMap(Optional::stream);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	@Override
	public void close() {
		try {
			this.file.close();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

}

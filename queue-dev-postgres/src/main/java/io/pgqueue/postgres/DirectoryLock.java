package io.pgqueue.postgres;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;

import org.jspecify.annotations.Nullable;

/** A lock between processes, and between the threads of one; it ends with its owner. */
final class DirectoryLock implements AutoCloseable {

	private static final Duration PATIENCE = Duration.ofMinutes(10);

	private final FileChannel channel;

	private DirectoryLock(FileChannel channel) {
		this.channel = channel;
	}

	static DirectoryLock acquire(Path directory) {
		Path file = directory.resolve("lock");
		long deadline = System.nanoTime() + PATIENCE.toNanos();
		try {
			FileChannel channel = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
			while (tryLock(channel) == null) {
				if (System.nanoTime() > deadline) {
					channel.close();
					throw new IllegalStateException("Somebody has held " + file + " for " + PATIENCE);
				}
				Pause.shortly();
			}
			return new DirectoryLock(channel);
		}
		catch (IOException ex) {
			throw new UncheckedIOException("Cannot lock " + file, ex);
		}
	}

	private static @Nullable FileLock tryLock(FileChannel channel) throws IOException {
		try {
			return channel.tryLock();
		}
		catch (OverlappingFileLockException ex) {
			return null; // another thread of this JVM has it
		}
	}

	@Override
	public void close() {
		try {
			this.channel.close();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

}

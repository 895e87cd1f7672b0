package io.rowqueue.postgres;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.locks.ReentrantLock;

/** A lock between processes, and between the threads of one; it ends with its owner. */
final class DirectoryLock implements AutoCloseable {

	/** A JVM does not wait for a file that another of its own threads has locked. */
	private static final ReentrantLock threads = new ReentrantLock();

	private final FileChannel channel;

	private DirectoryLock(FileChannel channel) {
		this.channel = channel;
	}

	@SuppressWarnings("LockNotBeforeTry") // it is unlocked by close
	static DirectoryLock acquire(Path directory) {
		threads.lock();
		try {
			FileChannel channel = FileChannel.open(directory.resolve("lock"), StandardOpenOption.CREATE,
					StandardOpenOption.WRITE);
			channel.lock();
			return new DirectoryLock(channel);
		}
		catch (IOException ex) {
			threads.unlock();
			throw new UncheckedIOException("Cannot lock " + directory, ex);
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
		finally {
			threads.unlock();
		}
	}

}

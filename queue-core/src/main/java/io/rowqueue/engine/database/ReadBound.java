package io.rowqueue.engine.database;

import java.io.IOException;
import java.sql.SQLException;

import org.jspecify.annotations.Nullable;

/**
 * Limits how much a thread reads from sockets of {@link BoundedSocketFactory}. The driver
 * reads in the thread of its caller, so that a thread-local limit applies through driver,
 * TLS and connection pool.
 */
public final class ReadBound {

	private static final ThreadLocal<@Nullable ReadBound> BOUNDS = new ThreadLocal<>();

	private final long maxBytes;

	private long left;

	private ReadBound(long bytes) {
		this.maxBytes = bytes;
		this.left = bytes;
	}

	/**
	 * Runs code that may read a limited number of bytes. Reading more fails with an
	 * {@link IOException}, after which the connection cannot be used.
	 */
	public static <T> T within(long bytes, Reading<T> reading) throws SQLException {
		BOUNDS.set(new ReadBound(bytes));
		try {
			return reading.read();
		}
		finally {
			BOUNDS.remove();
		}
	}

	/** Returns whether this thread reads within a limit and has read something. */
	static boolean hasRead() {
		ReadBound bound = BOUNDS.get();
		return bound != null && bound.left < bound.maxBytes;
	}

	/** Counts bytes that this thread has read. */
	static void count(int bytes) throws IOException {
		ReadBound bound = BOUNDS.get();
		if (bound != null) {
			bound.left -= bytes;
			if (bound.left < 0) {
				throw new ExceededException();
			}
		}
	}

	/** Returns whether the limit was exceeded; driver and TLS wrap the exception. */
	public static boolean isExceeded(Throwable error) {
		@Nullable Throwable cause = error;
		while (cause != null && !(cause instanceof ExceededException)) {
			cause = cause.getCause();
		}
		return cause != null;
	}

	/** Code that reads from a socket. */
	@FunctionalInterface
	public interface Reading<T> {

		T read() throws SQLException;

	}

	/** Thrown if the limit is exceeded. */
	static final class ExceededException extends IOException {

		private ExceededException() {
			super("There is more to read than may be read at once");
		}

	}

}

package io.pgqueue.engine.database;

import java.io.IOException;
import java.sql.SQLException;

import org.jspecify.annotations.Nullable;

/**
 * How much a thread may still read from sockets of {@link BoundedSocketFactory}. The
 * driver reads in the thread of its caller, so this finds its way through driver, TLS and
 * pool.
 */
public final class ReadBound {

	private static final ThreadLocal<@Nullable ReadBound> BOUNDS = new ThreadLocal<>();

	private long left;

	private ReadBound(long bytes) {
		this.left = bytes;
	}

	/**
	 * Does something that may read so much and no more: what reads further fails with an
	 * {@link IOException}, and its connection is of no use then.
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

	/** This thread has read so many bytes. */
	static void count(int bytes) throws IOException {
		ReadBound bound = BOUNDS.get();
		if (bound != null) {
			bound.left -= bytes;
			if (bound.left < 0) {
				throw new ExceededException();
			}
		}
	}

	/** Whether something failed because of it; driver and TLS wrap the exception. */
	public static boolean isExceeded(Throwable error) {
		@Nullable Throwable cause = error;
		while (cause != null && !(cause instanceof ExceededException)) {
			cause = cause.getCause();
		}
		return cause != null;
	}

	/** What is read. */
	@FunctionalInterface
	public interface Reading<T> {

		T read() throws SQLException;

	}

	/** There was more to read. */
	static final class ExceededException extends IOException {

		private ExceededException() {
			super("There is more to read than may be read at once");
		}

	}

}

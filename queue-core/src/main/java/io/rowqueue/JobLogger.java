package io.rowqueue;

import org.jspecify.annotations.Nullable;
import org.slf4j.event.Level;

/**
 * The log of a job: its handler writes lines that are stored with the job, and shown by
 * dashboard, endpoint and views.
 *
 * <pre class="code">
 * context.log().info("{} of {} addresses are valid", valid, addresses.size());
 * </pre>
 *
 * Calls are cheap and never fail. The lines are kept in memory; the worker writes them
 * about once a second, and when the handler has finished, outside of any transaction of
 * the handler. Lines that were logged under a lost lease, or that were not written before
 * the process died, are discarded.
 * <p>
 * The log of an attempt has at most {@value #MAX_LINES} lines and {@value #MAX_BYTES}
 * bytes. Further lines are dropped, and a last line contains their number. A line is
 * truncated to {@value #MAX_CHARACTERS} characters.
 *
 * @since 0.1.0
 */
@FunctionalInterface
public interface JobLogger {

	/** The maximum number of lines of an attempt. */
	int MAX_LINES = 1000;

	/** The maximum size of the lines of an attempt, in UTF-8. */
	int MAX_BYTES = 256 * 1024;

	/** The maximum length of a line. */
	int MAX_CHARACTERS = 4000;

	/**
	 * Discards all lines. For contexts outside of a worker, for example in a unit test.
	 */
	JobLogger NONE = (level, message, arguments) -> {
	};

	/**
	 * Logs a line.
	 * @param level the level, which is stored with the line
	 * @param message the text, with {@code {}} for each argument as in SLF4J
	 * @param arguments the arguments; if the last one is an exception without a
	 * {@code {}}, its stack trace follows the text
	 */
	void log(Level level, String message, @Nullable Object... arguments);

	/**
	 * Logs a line with the level {@link Level#DEBUG}.
	 * @param message the text, with {@code {}} for each argument
	 * @param arguments the arguments
	 */
	default void debug(String message, @Nullable Object... arguments) {
		log(Level.DEBUG, message, arguments);
	}

	/**
	 * Logs a line with the level {@link Level#INFO}.
	 * @param message the text, with {@code {}} for each argument
	 * @param arguments the arguments
	 */
	default void info(String message, @Nullable Object... arguments) {
		log(Level.INFO, message, arguments);
	}

	/**
	 * Logs a line with the level {@link Level#WARN}.
	 * @param message the text, with {@code {}} for each argument
	 * @param arguments the arguments
	 */
	default void warn(String message, @Nullable Object... arguments) {
		log(Level.WARN, message, arguments);
	}

	/**
	 * Logs a line with the level {@link Level#ERROR}.
	 * @param message the text, with {@code {}} for each argument
	 * @param arguments the arguments; a last exception is logged with its stack trace
	 */
	default void error(String message, @Nullable Object... arguments) {
		log(Level.ERROR, message, arguments);
	}

}

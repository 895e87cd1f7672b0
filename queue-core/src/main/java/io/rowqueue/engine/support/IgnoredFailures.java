package io.rowqueue.engine.support;

import org.slf4j.Logger;

/**
 * Failures of what the application adds to the queue, which must not affect any job: the
 * first one of a minute is logged with its stack trace, and those that are alike are not.
 * Thread-safe.
 */
public final class IgnoredFailures {

	private final Logger logger;

	private final FirstOfAMinute<Kind> firsts = new FirstOfAMinute<>();

	/**
	 * Creates it.
	 * @param logger of the class that ignores them
	 */
	public IgnoredFailures(Logger logger) {
		this.logger = logger;
	}

	/**
	 * Something has failed.
	 * @param what a part of the application
	 */
	public void report(Object what, Throwable error) {
		if (!this.firsts.test(new Kind(what.getClass(), error.getClass()))) {
			return;
		}
		String line = "{} failed; the queue is not affected. Further failures of this kind are not logged for a minute";
		try {
			this.logger.warn(line, what, error);
		}
		catch (Throwable ex) { // a logger asks the error for its message, which may fail
			this.logger.warn(line + ": {}", what.getClass().getName(), ErrorText.summary(error));
		}
	}

	private record Kind(Class<?> what, Class<? extends Throwable> error) {

	}

}

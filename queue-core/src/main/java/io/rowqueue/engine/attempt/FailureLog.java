package io.rowqueue.engine.attempt;

import java.time.Duration;
import java.util.Map;

import io.rowqueue.engine.support.ErrorText;
import io.rowqueue.engine.support.FirstOfAMinute;
import io.rowqueue.engine.support.JobLog;
import io.rowqueue.engine.support.Outage;
import io.rowqueue.engine.support.Times;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.MDC;
import org.slf4j.event.Level;

/**
 * Writes what went wrong in handlers to the log. Of failures of one type that are alike,
 * the first one of a minute comes with its stack trace, be it in the first attempt or the
 * last; the others take a line that names the place where they were thrown. An error that
 * says that the database is away comes without: it says nothing about the handler, and
 * there are many.
 */
public final class FailureLog {

	private static final Logger logger = JobLog.logger();

	private final FirstOfAMinute<Kind> firsts = new FirstOfAMinute<>();

	/** An attempt failed, and another one follows. */
	void retried(ActiveJob job, Throwable error, Duration delay) {
		log(Level.WARN, job, " in attempt %s of %s, next in " + Times.readable(delay), error);
	}

	/**
	 * A job failed permanently, and that is written. In the log context of the thread
	 * that ran it.
	 */
	public void failedForGood(ActiveJob job, Throwable error) {
		@Nullable Map<String, String> before = MDC.getCopyOfContextMap();
		setContext(job.logContext());
		try {
			log(Level.ERROR, job, " permanently in attempt %s of %s", error);
		}
		finally {
			setContext(before);
		}
	}

	private void log(Level level, ActiveJob job, String what, Throwable error) {
		String line = job + " failed" + what.formatted(job.attempt(), job.maxAttempts());
		boolean trace = !Outage.isAway(error) && this.firsts.test(new Kind(level, job.type(), error.getClass()));
		try {
			if (trace) {
				logger.atLevel(level).setCause(error).log("{}: {}", line, ErrorText.summary(error));
			}
			else {
				logger.atLevel(level).log("{}: {} {}", line, ErrorText.summary(error), ErrorText.place(error));
				logger.debug("{} failed", job, error);
			}
		}
		catch (Throwable ex) { // a logger asks the error for its message, which may fail
			logger.atLevel(level).log("{}: {}", line, ErrorText.of(error));
		}
	}

	private static void setContext(@Nullable Map<String, String> context) {
		if (context != null) {
			MDC.setContextMap(context);
		}
		else {
			MDC.clear();
		}
	}

	/** What failures have in common that are alike. */
	private record Kind(Level level, String type, Class<? extends Throwable> error) {

	}

}

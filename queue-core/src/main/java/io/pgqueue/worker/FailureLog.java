package io.pgqueue.worker;

import java.time.Duration;
import java.util.Map;

import io.pgqueue.support.ErrorText;
import io.pgqueue.support.Times;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.MDC;

/** Writes what went wrong in handlers to the log. */
final class FailureLog {

	private static final Logger logger = LoggerFactory.getLogger(Judge.class);

	/** An attempt failed, and another one follows. */
	void retried(ActiveJob job, Throwable error, Duration delay) {
		try {
			logger.warn("{} failed in attempt {} of {}, next in {}: {}", job, job.attempt(), job.maxAttempts(),
					Times.readable(delay), ErrorText.summary(error));
			logger.debug("{} failed", job, error);
		}
		catch (Throwable ex) { // a logger asks the error for its message, which may fail
			logger.error("{} failed in attempt {} of {}: {}", job, job.attempt(), job.maxAttempts(),
					ErrorText.of(error));
		}
	}

	/**
	 * A job failed for good, and that is written. In the log context of the thread that
	 * ran it.
	 */
	void failedForGood(ActiveJob job, @Nullable Throwable error) {
		@Nullable Map<String, String> before = MDC.getCopyOfContextMap();
		setContext(job.logContext());
		try {
			logger.error("{} failed for good in attempt {} of {}", job, job.attempt(), job.maxAttempts(), error);
		}
		catch (Throwable ex) { // a logger asks the error for its message, which may fail
			logger.error("{} failed for good in attempt {} of {}: {}", job, job.attempt(), job.maxAttempts(),
					(error != null) ? ErrorText.of(error) : "");
		}
		finally {
			setContext(before);
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

}

package io.rowqueue.engine.attempt;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

import io.rowqueue.engine.support.ErrorText;
import io.rowqueue.engine.support.JobLog;
import io.rowqueue.engine.support.Outage;
import io.rowqueue.engine.support.Times;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.MDC;
import org.slf4j.event.Level;

/**
 * Writes what went wrong in handlers to the log. Of failures of one type with the same
 * cause, the first one of a minute comes with its stack trace, be it in the first attempt
 * or the last; the next ones take a line that names the place where they were thrown, and
 * all further ones of the minute one line that counts them. An error that says that the
 * database is away comes without a trace: it says nothing about the handler, and there
 * are many.
 */
public final class FailureLog {

	/** How many alike failures of a minute take a line each. */
	static final int MAX_LINES = 20;

	private static final int MAX_KINDS = 1000;

	private static final Duration MINUTE = Duration.ofMinutes(1);

	private static final Logger logger = JobLog.logger();

	private final Map<Kind, Minute> minutes = new ConcurrentHashMap<>();

	private final LongSupplier nanoTime;

	private final Executor afterAMinute;

	/** Creates a log that knows of no failure. */
	public FailureLog() {
		this(System::nanoTime, CompletableFuture.delayedExecutor(MINUTE.toNanos(), TimeUnit.NANOSECONDS));
	}

	/**
	 * Creates a log that knows of no failure.
	 * @param nanoTime the clock
	 * @param afterAMinute executes what it gets a minute later
	 */
	FailureLog(LongSupplier nanoTime, Executor afterAMinute) {
		this.nanoTime = nanoTime;
		this.afterAMinute = afterAMinute;
	}

	/** An attempt failed, and another one follows. */
	void retried(ActiveJob job, Throwable error, @Nullable Long group, Duration delay) {
		log(new Kind(Level.WARN, job.type(), group), job, " in attempt %s of %s, next in " + Times.readable(delay),
				error);
	}

	/**
	 * A job failed permanently, and that is written. In the log context of the thread
	 * that ran it.
	 * @param group the fingerprint of the error
	 */
	public void failedForGood(ActiveJob job, Throwable error, @Nullable Long group) {
		@Nullable Map<String, String> before = MDC.getCopyOfContextMap();
		setContext(job.logContext());
		try {
			log(new Kind(Level.ERROR, job.type(), group), job, " permanently in attempt %s of %s", error);
		}
		finally {
			setContext(before);
		}
	}

	private void log(Kind kind, ActiveJob job, String what, Throwable error) {
		int number = count(kind, job);
		if (number > MAX_LINES) {
			logger.debug("{} failed", job, error);
			return;
		}
		String line = job + " failed" + what.formatted(job.attempt(), job.maxAttempts());
		try {
			if (number == 1 && !Outage.isAway(error)) {
				logger.atLevel(kind.level).setCause(error).log("{}: {}", line, ErrorText.summary(error));
			}
			else {
				logger.atLevel(kind.level).log("{}: {} {}", line, ErrorText.summary(error), ErrorText.place(error));
				logger.debug("{} failed", job, error);
			}
		}
		catch (Throwable ex) { // a logger asks the error for its message, which may fail
			logger.atLevel(kind.level).log("{}: {}", line, ErrorText.of(error));
		}
	}

	/** Returns the number of a failure among those of its minute that are alike. */
	private int count(Kind kind, ActiveJob job) {
		if (this.minutes.size() >= MAX_KINDS && !this.minutes.containsKey(kind)) {
			List.copyOf(this.minutes.keySet()).forEach(this::end);
		}
		long now = this.nanoTime.getAsLong();
		int number = this.minutes.compute(kind,
				(same, before) -> (before == null || before.isOver(now)) ? new Minute(now, 1, job) : before.next(job))
			.failures();
		if (number == MAX_LINES + 1) {
			this.afterAMinute.execute(() -> end(kind));
		}
		return number;
	}

	/** Logs how many failures were left out. */
	private void end(Kind kind) {
		Minute ended = this.minutes.remove(kind);
		if (ended != null && ended.failures > MAX_LINES) {
			logger.atLevel(kind.level)
				.log("{} more {} of {} failed{} within a minute for the same reason, {} being the latest: the errors are kept with the jobs",
						ended.failures - MAX_LINES, (kind.level == Level.ERROR) ? "jobs" : "attempts", kind.type,
						(kind.level == Level.ERROR) ? " permanently" : "", ended.latest);
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
	private record Kind(Level level, String type, @Nullable Long group) {

	}

	/**
	 * What happened since the first of some failures that are alike. It ends a minute
	 * after the first one, or, if some are left out, when that is logged.
	 */
	private record Minute(long begin, int failures, ActiveJob latest) {

		Minute next(ActiveJob job) {
			return new Minute(this.begin, this.failures + 1, job);
		}

		boolean isOver(long now) {
			return this.failures <= MAX_LINES && now - this.begin >= MINUTE.toNanos();
		}

	}

}

package io.rowqueue.autoconfigure.joblog;

import java.util.Map;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.IThrowableProxy;
import ch.qos.logback.classic.spi.ThrowableProxyUtil;
import ch.qos.logback.core.UnsynchronizedAppenderBase;
import io.rowqueue.JobContext;
import io.rowqueue.engine.support.JobLog;
import io.rowqueue.listen.AttemptScope;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.DisposableBean;

/**
 * Appends what the thread of a handler logs to the log of its job, while the application
 * runs. Lines about the end of the attempt are left out, since the job shows its attempts
 * anyway.
 */
final class JobLogAppender extends UnsynchronizedAppenderBase<ILoggingEvent> implements AttemptScope, DisposableBean {

	private static final ThreadLocal<@Nullable Current> CURRENT = new ThreadLocal<>();

	private final Level level;

	private final Logger root;

	private JobLogAppender(LoggerContext context, Level level) {
		this.level = level;
		this.root = context.getLogger(Logger.ROOT_LOGGER_NAME);
		setName("rowqueue-job-log");
		setContext(context);
	}

	/**
	 * Creates an appender and adds it to the root logger.
	 * @param level lines of lower levels are left out
	 */
	static JobLogAppender attach(Level level) {
		if (!(LoggerFactory.getILoggerFactory() instanceof LoggerContext context)) {
			throw new IllegalStateException("rowqueue.job-log.appender.enabled needs Logback, but SLF4J uses "
					+ LoggerFactory.getILoggerFactory().getClass().getName());
		}
		JobLogAppender appender = new JobLogAppender(context, level);
		appender.start();
		appender.root.addAppender(appender);
		return appender;
	}

	@Override
	public void destroy() {
		this.root.detachAppender(this);
		stop();
	}

	@Override
	public Opened open(JobContext job, Map<String, String> headers) {
		CURRENT.set(new Current(this, job));
		return CURRENT::remove;
	}

	@Override
	protected void append(ILoggingEvent event) {
		Current current = CURRENT.get();
		if (current != null && current.appender() == this && event.getLevel().isGreaterOrEqual(this.level)
				&& !event.getLoggerName().equals(JobLog.NAME)) {
			current.job().log().log(level(event.getLevel()), "{}", text(event));
		}
	}

	private static String text(ILoggingEvent event) {
		IThrowableProxy error = event.getThrowableProxy();
		return (error != null) ? event.getFormattedMessage() + "\n" + ThrowableProxyUtil.asString(error)
				: event.getFormattedMessage();
	}

	private static org.slf4j.event.Level level(Level level) {
		return org.slf4j.event.Level.valueOf(level.levelStr);
	}

	/**
	 * What a thread runs.
	 *
	 * @param appender the one of several applications in the process whose worker runs it
	 * @param job the job
	 */
	private record Current(JobLogAppender appender, JobContext job) {

	}

}

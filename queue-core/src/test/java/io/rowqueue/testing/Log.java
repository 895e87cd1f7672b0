package io.rowqueue.testing;

import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.rowqueue.engine.support.JobLog;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;

/**
 * What one class, the engine or its jobs log from INFO on, whatever the levels of their
 * loggers.
 */
public final class Log implements AutoCloseable {

	/** What is logged a minute after many failures, by a thread of nobody's. */
	private static final String A_MINUTE_LATER = "within a minute for the same reason";

	private final ListAppender<ILoggingEvent> appender = new ListAppender<>();

	private final List<Source> sources;

	public Log(Class<?> source) {
		this(source.getName());
	}

	private Log(String... sources) {
		this.appender.list = new CopyOnWriteArrayList<>();
		this.appender.start();
		this.sources = Arrays.stream(sources).map((name) -> Source.opened(name, this.appender)).toList();
	}

	/** What the whole engine logs, its jobs included. */
	public static Log ofTheEngine() {
		return new Log("io.rowqueue", JobLog.NAME);
	}

	/** What happens to jobs. */
	public static Log ofJobs() {
		return new Log(JobLog.NAME);
	}

	/**
	 * The messages from this level on, without those that count the failed jobs of an
	 * earlier test, a minute later.
	 */
	public List<String> lines(Level level) {
		return this.appender.list.stream()
			.filter((event) -> event.getLevel().isGreaterOrEqual(level))
			.filter((event) -> !event.getMessage().contains(A_MINUTE_LATER)
					|| event.getThreadName().equals(Thread.currentThread().getName()))
			.map(ILoggingEvent::getFormattedMessage)
			.toList();
	}

	/** The messages from this level on that come with a stack trace. */
	public List<String> traces(Level level) {
		return this.appender.list.stream()
			.filter((event) -> event.getLevel().isGreaterOrEqual(level) && event.getThrowableProxy() != null)
			.map(ILoggingEvent::getFormattedMessage)
			.toList();
	}

	@Override
	public void close() {
		this.sources.forEach((source) -> source.close(this.appender));
	}

	/** A logger, and the level that it has again afterwards. */
	private record Source(Logger logger, @Nullable Level level) {

		static Source opened(String name, ListAppender<ILoggingEvent> appender) {
			Logger logger = (Logger) LoggerFactory.getLogger(name);
			Source source = new Source(logger, logger.getLevel());
			logger.addAppender(appender);
			logger.setLevel(Level.INFO);
			logger.setAdditive(false);
			return source;
		}

		void close(ListAppender<ILoggingEvent> appender) {
			this.logger.detachAppender(appender);
			this.logger.setLevel(this.level);
			this.logger.setAdditive(true);
		}

	}

}

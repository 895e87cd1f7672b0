package io.pgqueue.testing;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.pgqueue.engine.support.JobLog;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;

/** What one class, or the engine, logs from INFO on. */
public final class Log implements AutoCloseable {

	private final Logger logger;

	private final @Nullable Level level;

	private final ListAppender<ILoggingEvent> appender = new ListAppender<>();

	public Log(Class<?> source) {
		this(source.getName());
	}

	private Log(String source) {
		this.logger = (Logger) LoggerFactory.getLogger(source);
		this.appender.list = new CopyOnWriteArrayList<>();
		this.appender.start();
		this.logger.addAppender(this.appender);
		this.level = this.logger.getLevel();
		this.logger.setLevel(Level.INFO);
		this.logger.setAdditive(false);
	}

	/** What the whole engine logs. */
	public static Log ofTheEngine() {
		return new Log("io.pgqueue");
	}

	/** What happens to jobs. */
	public static Log ofJobs() {
		return new Log(JobLog.NAME);
	}

	/** The messages from this level on. */
	public List<String> lines(Level level) {
		return this.appender.list.stream()
			.filter((event) -> event.getLevel().isGreaterOrEqual(level))
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
		this.logger.detachAppender(this.appender);
		this.logger.setLevel(this.level);
		this.logger.setAdditive(true);
	}

}

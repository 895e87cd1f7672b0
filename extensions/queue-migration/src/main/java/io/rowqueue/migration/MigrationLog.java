package io.rowqueue.migration;

import org.flywaydb.core.api.logging.Log;
import org.flywaydb.core.api.logging.LogCreator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What Flyway logs about the queue's migrations: at {@code DEBUG} what it logs at
 * {@code INFO}, about a hundred lines for an empty database, which would hide what the
 * application logs at its first start.
 * <p>
 * Flyway keeps its log creator in a static field until another instance of it is created,
 * so one that the application has created before may log here, too. Only the thread that
 * runs the queue's migrations is quieted.
 */
public final class MigrationLog implements LogCreator {

	private static final ThreadLocal<Boolean> running = ThreadLocal.withInitial(() -> Boolean.FALSE);

	/**
	 * Creates an instance; Flyway does, by the name of the class.
	 */
	public MigrationLog() {
	}

	static void quieted(Runnable migrations) {
		running.set(Boolean.TRUE);
		try {
			migrations.run();
		}
		finally {
			running.remove();
		}
	}

	@Override
	public Log createLogger(Class<?> type) {
		return new Slf4j(LoggerFactory.getLogger(type));
	}

	private record Slf4j(Logger logger) implements Log {

		@Override
		@SuppressWarnings("deprecation") // Flyway 11, of Spring Boot 4.0, asks for it
		public boolean isDebugEnabled() {
			return this.logger.isDebugEnabled();
		}

		@Override
		public void debug(String message) {
			this.logger.debug(message);
		}

		@Override
		public void info(String message) {
			if (running.get()) {
				this.logger.debug(message);
			}
			else {
				this.logger.info(message);
			}
		}

		@Override
		public void warn(String message) {
			this.logger.warn(message);
		}

		@Override
		public void error(String message) {
			this.logger.error(message);
		}

		@Override
		public void error(String message, Exception ex) {
			this.logger.error(message, ex);
		}

		@Override
		public void notice(String message) {
			info(message);
		}

	}

}

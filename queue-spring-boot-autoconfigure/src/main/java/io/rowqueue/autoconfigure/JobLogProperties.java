package io.rowqueue.autoconfigure;

import org.slf4j.event.Level;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * What is kept in the logs of jobs.
 *
 * @param appender what handlers log with Logback
 */
public record JobLogProperties(@DefaultValue Appender appender) {

	/**
	 * What handlers log with Logback.
	 *
	 * @param enabled Whether what a handler logs with Logback in its thread is also kept
	 * in the log of its job.
	 * @param level Lowest level of these lines.
	 */
	public record Appender(@DefaultValue("false") boolean enabled, @DefaultValue("info") Level level) {

	}

}

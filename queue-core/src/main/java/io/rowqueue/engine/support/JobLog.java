package io.rowqueue.engine.support;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The log of what happens to single jobs. Its name is documented for those who route or
 * filter it, and stays the same when classes are renamed or moved.
 */
public final class JobLog {

	/** The name of the logger. */
	public static final String NAME = "io.rowqueue.jobs";

	private JobLog() {
	}

	/** The logger, for classes that run jobs or end them. */
	public static Logger logger() {
		return LoggerFactory.getLogger(NAME);
	}

}

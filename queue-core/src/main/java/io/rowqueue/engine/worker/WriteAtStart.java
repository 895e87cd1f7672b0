package io.rowqueue.engine.worker;

import io.rowqueue.engine.support.Outage;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Stores what the application declares before its worker starts; if the database is not
 * available then, a task of the maintenance stores it later.
 *
 * @since 0.1.0
 */
public final class WriteAtStart {

	private static final Logger logger = LoggerFactory.getLogger(WriteAtStart.class);

	private final String what;

	private volatile Runnable unwritten = () -> {
	};

	/**
	 * Creates it with nothing to write.
	 * @param what what the application declares, for the log
	 */
	public WriteAtStart(String what) {
		this.what = what;
	}

	/** Stores it, now or with {@link #writeMissing()}. */
	public void write(Runnable write) {
		this.unwritten = write;
		try {
			writeMissing();
		}
		catch (RuntimeException ex) {
			if (!Outage.isAway(ex)) {
				throw ex;
			}
			logger.debug("The {} are stored when the database is available again", this.what, ex);
		}
	}

	/** Stores what could not be stored before. */
	public void writeMissing() {
		this.unwritten.run();
		this.unwritten = () -> {
		};
	}

}

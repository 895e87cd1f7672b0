package io.pgqueue.support;

import java.sql.SQLException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.DataAccessResourceFailureException;

/**
 * Writes one line when the database goes away and one when it is back, however many
 * threads notice, and one line for each other thing that begins or ceases to fail.
 */
public final class Outage {

	private static final Logger logger = LoggerFactory.getLogger(Outage.class);

	private final AtomicBoolean away = new AtomicBoolean();

	private volatile long awaySince;

	private final Map<String, String> failing = new ConcurrentHashMap<>();

	/**
	 * Something failed and will be tried again.
	 * @param who the thread that tried
	 * @param error what it met
	 */
	public void report(String who, Throwable error) {
		if (isAway(error)) {
			if (this.away.compareAndSet(false, true)) {
				this.awaySince = System.nanoTime();
				logger.warn("The database is away; the queue waits for it and then goes on. {}",
						ErrorText.summary(rootOf(error)));
			}
			return;
		}
		String summary = ErrorText.summary(rootOf(error));
		if (!summary.equals(this.failing.put(who, summary))) {
			logger.error("{} failed and tries again until it works", who, error);
		}
	}

	/**
	 * Something worked.
	 * @param who the thread that did it
	 */
	public void over(String who) {
		if (this.failing.remove(who) != null) {
			logger.info("{} works again", who);
		}
		if (this.away.get() && this.away.compareAndSet(true, false)) {
			logger.info("The database is back after {}",
					Times.readable(Duration.ofNanos(System.nanoTime() - this.awaySince)));
		}
	}

	/**
	 * Connections fail with SQLSTATE class 08, a server that stops or starts says 57P0x,
	 * and a demoted primary refuses to write with 25006.
	 */
	private static boolean isAway(Throwable error) {
		for (Throwable cause = error; cause != null; cause = cause.getCause()) {
			if (cause instanceof DataAccessResourceFailureException) {
				return true;
			}
			if (cause instanceof SQLException sql && sql.getSQLState() != null && (sql.getSQLState().startsWith("08")
					|| sql.getSQLState().startsWith("57P0") || sql.getSQLState().equals("25006"))) {
				return true;
			}
		}
		return false;
	}

	private static Throwable rootOf(Throwable error) {
		Throwable root = error;
		while (root.getCause() != null) {
			root = root.getCause();
		}
		return root;
	}

}

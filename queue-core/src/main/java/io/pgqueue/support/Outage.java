package io.pgqueue.support;

import java.sql.SQLException;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.DataAccessResourceFailureException;

/**
 * Writes one line when the database goes away and one when it is back, however many
 * threads notice, and one line for each other thing that begins or ceases to fail.
 */
public final class Outage {

	private static final Logger logger = LoggerFactory.getLogger(Outage.class);

	/** Who has met no database since it went away. */
	private final Set<String> without = new HashSet<>();

	private long awaySince;

	private final Map<String, String> failing = new HashMap<>();

	/**
	 * Something failed and will be tried again.
	 * @param who the thread that tried
	 * @param error what it met
	 */
	public synchronized void report(String who, Throwable error) {
		if (isAway(error)) {
			if (this.without.isEmpty()) {
				this.awaySince = System.nanoTime();
				logger.warn("The database is away; the queue waits for it and then goes on. {}", summaryOfRoot(error));
			}
			this.without.add(who);
			return;
		}
		String summary = summaryOfRoot(error);
		if (!summary.equals(this.failing.put(who, summary))) {
			logger.error("{} failed and tries again until it works: {}", who, ErrorText.of(error));
		}
	}

	/**
	 * Something worked. The database is back when it answers all who missed it: one that
	 * had nothing to ask does not know.
	 * @param who the thread that did it
	 */
	public synchronized void over(String who) {
		if (this.failing.remove(who) != null) {
			logger.info("{} works again", who);
		}
		if (this.without.remove(who) && this.without.isEmpty()) {
			logger.info("The database is back after {}",
					Times.readable(Duration.ofNanos(System.nanoTime() - this.awaySince)));
		}
	}

	/**
	 * How long the database has been away.
	 * @return nothing if it is there, as far as anybody knows
	 */
	public synchronized Optional<Duration> away() {
		return this.without.isEmpty() ? Optional.empty()
				: Optional.of(Duration.ofNanos(System.nanoTime() - this.awaySince));
	}

	/**
	 * Whether an error says that the database cannot be reached or used. Connections fail
	 * with SQLSTATE class 08, a server that stops or starts says 57P0x, and a demoted
	 * primary refuses to write with 25006.
	 */
	public static boolean isAway(Throwable error) {
		return Causes.of(error)
			.stream()
			.anyMatch((cause) -> cause instanceof DataAccessResourceFailureException
					|| (cause instanceof SQLException sql && sql.getSQLState() != null && isAway(sql.getSQLState())));
	}

	private static boolean isAway(String state) {
		return state.startsWith("08") || state.startsWith("57P0") || state.equals("25006");
	}

	private static String summaryOfRoot(Throwable error) {
		List<Throwable> causes = Causes.of(error);
		return ErrorText.summary(causes.get(causes.size() - 1));
	}

}

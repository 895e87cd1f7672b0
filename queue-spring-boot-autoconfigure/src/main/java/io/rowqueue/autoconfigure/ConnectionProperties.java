package io.rowqueue.autoconfigure;

import java.time.Duration;
import java.time.temporal.ChronoUnit;

import io.rowqueue.engine.database.StatementTimeouts;
import io.rowqueue.engine.support.PropertyCheck;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.boot.convert.DurationUnit;
import org.springframework.util.Assert;

/**
 * The connection pool of workers.
 *
 * @param maximumPoolSize Maximum number of connections that the queue opens in addition
 * to those of the application. The default is enough for all that a worker does at once.
 * @param connectionTimeout Maximum time to wait for a connection. If a duration suffix is
 * not specified, seconds will be used.
 * @param statementTimeout Maximum duration of a statement. If a duration suffix is not
 * specified, seconds will be used.
 * @param lockTimeout Maximum time that a statement waits for a lock. If a duration suffix
 * is not specified, seconds will be used.
 * @param socketTimeout Maximum time to wait for a response of the server. If a duration
 * suffix is not specified, seconds will be used.
 */
public record ConnectionProperties(@DefaultValue("11") int maximumPoolSize,
		@DurationUnit(ChronoUnit.SECONDS) @DefaultValue("5s") Duration connectionTimeout,
		@DurationUnit(ChronoUnit.SECONDS) @DefaultValue("20s") Duration statementTimeout,
		@DurationUnit(ChronoUnit.SECONDS) @DefaultValue("5s") Duration lockTimeout,
		@DurationUnit(ChronoUnit.SECONDS) @DefaultValue("25s") Duration socketTimeout) {

	/**
	 * A worker needs them: session, notifications, heartbeats, claims and ends of jobs.
	 */
	public static final int MIN_POOL_SIZE = 5;

	/** The least that HikariCP accepts. */
	private static final Duration MIN_CONNECTION_TIMEOUT = Duration.ofMillis(250);

	private static final String GROUP = "rowqueue.connection";

	public ConnectionProperties {
		PropertyCheck.of(GROUP, () -> {
			Assert.isTrue(maximumPoolSize >= MIN_POOL_SIZE,
					() -> "maximumPoolSize must be at least %s, not %s: a worker keeps two connections open, and its heartbeats must not wait for claims"
						.formatted(MIN_POOL_SIZE, maximumPoolSize));
			Assert.isTrue(connectionTimeout.compareTo(MIN_CONNECTION_TIMEOUT) >= 0,
					() -> "connectionTimeout must be 250 milliseconds or longer, not " + connectionTimeout);
			Assert.isTrue(lockTimeout.toMillis() > 0,
					() -> "lockTimeout must be a millisecond or longer, not " + lockTimeout);
			Assert.isTrue(statementTimeout.compareTo(lockTimeout) >= 0,
					() -> "statementTimeout (%s) must not be shorter than rowqueue.connection.lock-timeout (%s), which could not expire"
						.formatted(statementTimeout, lockTimeout));
			Assert.isTrue(socketTimeout.compareTo(statementTimeout.plusSeconds(1)) >= 0,
					() -> "socketTimeout (%s) must be at least a second longer than rowqueue.connection.statement-timeout (%s): connections would be closed before the server can end a statement"
						.formatted(socketTimeout, statementTimeout));
		});
	}

	/**
	 * Checks the timeouts against a lease. The defaults are accepted with any lease: a
	 * short one is a decision for early recovery.
	 * @param group the properties that the lease belongs to
	 */
	void check(String group, Duration lease) {
		PropertyCheck.of(GROUP, () -> Assert.isTrue(
				this.socketTimeout.compareTo(StatementTimeouts.DEFAULT.socket()) <= 0
						|| this.socketTimeout.compareTo(lease) < 0,
				() -> "socketTimeout (%s) must be shorter than %s.lease (%s): a heartbeat without a response would cost the worker its jobs"
					.formatted(this.socketTimeout, group, lease)));
	}

	/** Returns the timeouts of statements. */
	public StatementTimeouts timeouts() {
		return new StatementTimeouts(this.statementTimeout, this.lockTimeout, this.socketTimeout);
	}

}

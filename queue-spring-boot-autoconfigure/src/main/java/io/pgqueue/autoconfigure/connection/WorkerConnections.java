package io.pgqueue.autoconfigure.connection;

import java.time.Duration;

import javax.sql.DataSource;

import com.zaxxer.hikari.HikariDataSource;
import com.zaxxer.hikari.HikariPoolMXBean;
import com.zaxxer.hikari.metrics.MetricsTrackerFactory;
import io.pgqueue.autoconfigure.disabled.DisabledDataSource;

/**
 * A small pool of the queue's own, so that workers and the application never wait for
 * each other's connections, and each statement of a worker runs under settings that suit
 * it. It leads where the application's pool leads and opens its first connection when it
 * is used. Not a {@code DataSource} bean: that would switch off Boot's.
 */
public final class WorkerConnections implements AutoCloseable {

	/**
	 * Two for claims, and one each for finish, heartbeat, reports, session, recovery,
	 * maintenance, housekeeping, notifications and letting in jobs with limit keys.
	 */
	public static final int MOST = 11;

	private static final Duration IDLE = Duration.ofMinutes(1);

	private final HikariDataSource pool = new HikariDataSource();

	private final DataSource dataSource;

	public WorkerConnections(DataSource application) {
		this.dataSource = (application instanceof DisabledDataSource) ? application : this.pool;
		new QueueAddress(application).lead(this.pool);
		this.pool.setPoolName("pgqueue");
		this.pool.setMaximumPoolSize(MOST);
		this.pool.setMinimumIdle(1);
		this.pool.setIdleTimeout(IDLE.toMillis());
		this.pool.setConnectionTimeout(Duration.ofSeconds(5).toMillis());
		this.pool.setInitializationFailTimeout(-1); // the worker waits for a database
		this.pool.setAutoCommit(true);
	}

	public DataSource dataSource() {
		return this.dataSource;
	}

	/** Has the pool measured, unless the application's pool has passed on its own way. */
	public void measureBy(MetricsTrackerFactory factory) {
		if (this.pool.getMetricsTrackerFactory() == null && this.pool.getMetricRegistry() == null) {
			this.pool.setMetricsTrackerFactory(factory);
		}
	}

	/** Uses no connection again that is open now: the server may have been demoted. */
	public void renew() {
		HikariPoolMXBean opened = this.pool.getHikariPoolMXBean();
		if (opened != null) {
			opened.softEvictConnections();
		}
	}

	@Override
	public void close() {
		this.pool.close();
	}

}

package io.rowqueue.autoconfigure.connection;

import java.time.Duration;
import java.util.List;

import javax.sql.DataSource;

import com.zaxxer.hikari.HikariDataSource;
import com.zaxxer.hikari.HikariPoolMXBean;
import io.rowqueue.autoconfigure.ConnectionProperties;
import io.rowqueue.engine.database.DisabledDataSource;
import io.rowqueue.engine.database.WorkerPool;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.util.StringUtils;

/**
 * The queue's own small connection pool, so that workers and the application never wait
 * for each other's connections, and the statements of workers have their own settings. It
 * connects to the database of the application's pool, and opens its first connection when
 * it is used. It is not a {@code DataSource} bean, which would switch off Boot's.
 * <p>
 * A worker needs at most 11 connections: two for claims, and one each for outcomes of
 * jobs, heartbeats, reports, session, recovery, maintenance, housekeeping, notifications
 * and the admission of jobs with limit keys. With a message broker, it needs one more
 * each to publish and to park jobs, and for each carried type.
 */
public final class WorkerConnections implements WorkerPool, AutoCloseable {

	private static final Logger logger = LoggerFactory.getLogger(WorkerConnections.class);

	private static final Duration IDLE_TIMEOUT = Duration.ofMinutes(1);

	private final HikariDataSource pool = new HikariDataSource();

	private final DataSource dataSource;

	private final QueueAddress address;

	private final QueueConnectionDetails details;

	WorkerConnections(DataSource application, ConnectionProperties properties, QueueConnectionDetails details,
			List<QueueDataSourceCustomizer> customizers) {
		this.dataSource = (application instanceof DisabledDataSource) ? application : this.pool;
		this.address = new QueueAddress(application, properties);
		this.details = details;
		this.address.lead(this.pool);
		this.pool.setPoolName("rowqueue");
		this.pool.setMaximumPoolSize(properties.maximumPoolSize());
		this.pool.setMinimumIdle(1);
		this.pool.setIdleTimeout(IDLE_TIMEOUT.toMillis());
		this.pool.setConnectionTimeout(properties.connectionTimeout().toMillis());
		customizers.forEach((customizer) -> customizer.customize(this.pool));
		if (this.pool.getLeakDetectionThreshold() != 0) {
			logger
				.warn("The leak detection threshold of the pool '{}' is ignored: a worker keeps a connection to listen"
						+ " for as long as it runs, which would be reported as a leak", this.pool.getPoolName());
			this.pool.setLeakDetectionThreshold(0);
		}
		this.pool.setInitializationFailTimeout(-1); // the worker waits for a database
		this.pool.setAutoCommit(true);
	}

	@Override
	public DataSource dataSource() {
		return this.dataSource;
	}

	/**
	 * Returns connections of which each is opened anew if that is possible: the pool of
	 * the application is not used then. They are those of the application if it reads
	 * only.
	 */
	public DataSource unpooled() {
		return this.address.unpooled();
	}

	/**
	 * Returns unpooled connections to the server itself, past any connection pooler.
	 * @return {@code null} if no address of the server is known
	 */
	public @Nullable DataSource direct() {
		String url = this.details.getJdbcUrl();
		return StringUtils.hasText(url) ? this.address.direct(url, this.details) : null;
	}

	@Override
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

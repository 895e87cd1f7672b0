package io.pgqueue.autoconfigure;

import java.time.Duration;

import javax.sql.DataSource;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariConfigMXBean;
import com.zaxxer.hikari.HikariDataSource;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.jdbc.DataSourceUnwrapper;

/**
 * A small pool of the queue's own, so that workers and the application never wait for
 * each other's connections, and each statement of a worker runs under settings that suit
 * it. It leads where the application's pool leads and opens its first connection when it
 * is used. Not a {@code DataSource} bean: that would switch off Boot's.
 */
final class WorkerConnections implements AutoCloseable {

	/** One each for claim, finish, heartbeat, session, maintenance and notifications. */
	static final int MOST = 6;

	/**
	 * An index is always the way: statistics of a queue's table are stale by nature. The
	 * timeouts keep a hung server or a lock held elsewhere from freezing a worker; all
	 * are shorter than the default lease.
	 */
	private static final String SESSION = "set enable_seqscan = off; set statement_timeout = '20s';"
			+ " set lock_timeout = '5s'; set idle_in_transaction_session_timeout = '20s'";

	private static final Duration SOCKET_TIMEOUT = Duration.ofSeconds(25);

	private static final Duration IDLE = Duration.ofMinutes(1);

	private final HikariDataSource pool;

	WorkerConnections(DataSource application) {
		this.pool = new HikariDataSource();
		HikariDataSource hikari = DataSourceUnwrapper.unwrap(application, HikariConfigMXBean.class,
				HikariDataSource.class);
		if (hikari != null) {
			leadToTheSame(hikari, this.pool);
		}
		else {
			this.pool.setDataSource(application);
		}
		this.pool.setPoolName("queue");
		this.pool.setMaximumPoolSize(MOST);
		this.pool.setMinimumIdle(1);
		this.pool.setIdleTimeout(IDLE.toMillis());
		this.pool.setConnectionTimeout(Duration.ofSeconds(5).toMillis());
		this.pool.setInitializationFailTimeout(-1); // a database that is away is waited
													// for
		this.pool.setAutoCommit(true);
		this.pool.setTransactionIsolation("TRANSACTION_READ_COMMITTED");
	}

	private static void leadToTheSame(HikariConfig from, HikariConfig to) {
		if (from.getDataSource() != null) {
			to.setDataSource(from.getDataSource());
		}
		to.setJdbcUrl(from.getJdbcUrl());
		to.setDataSourceClassName(from.getDataSourceClassName());
		to.setDataSourceJNDI(from.getDataSourceJNDI());
		if (from.getDriverClassName() != null) {
			to.setDriverClassName(from.getDriverClassName());
		}
		to.setCredentials(from.getCredentials());
		to.setDataSourceProperties(from.getDataSourceProperties());
		to.setSchema(from.getSchema());
		to.setCatalog(from.getCatalog());
		to.setMaxLifetime(from.getMaxLifetime());
		to.getDataSourceProperties().putIfAbsent("socketTimeout", String.valueOf(SOCKET_TIMEOUT.toSeconds()));
		to.getDataSourceProperties().putIfAbsent("tcpKeepAlive", "true");
		to.getDataSourceProperties().putIfAbsent("ApplicationName", "pgqueue");
		to.setConnectionInitSql(session(from.getConnectionInitSql()));
	}

	/** What the application's own sessions begin with comes first, a role for example. */
	private static String session(@Nullable String application) {
		return (application != null) ? application.strip().replaceAll(";$", "") + "; " + SESSION : SESSION;
	}

	DataSource dataSource() {
		return this.pool;
	}

	@Override
	public void close() {
		this.pool.close();
	}

}

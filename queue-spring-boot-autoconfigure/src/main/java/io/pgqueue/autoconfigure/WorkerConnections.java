package io.pgqueue.autoconfigure;

import java.time.Duration;
import java.util.Set;

import javax.sql.DataSource;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariConfigMXBean;
import com.zaxxer.hikari.HikariDataSource;
import com.zaxxer.hikari.util.Credentials;
import org.jspecify.annotations.Nullable;
import org.postgresql.ds.PGSimpleDataSource;

import org.springframework.boot.jdbc.DataSourceUnwrapper;
import org.springframework.jdbc.datasource.AbstractDriverBasedDataSource;
import org.springframework.jdbc.datasource.DelegatingDataSource;
import org.springframework.jdbc.datasource.LazyConnectionDataSourceProxy;
import org.springframework.jdbc.datasource.TransactionAwareDataSourceProxy;

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

	/** Proxies that change nothing about where a connection leads or who it is. */
	private static final Set<Class<?>> TRANSPARENT = Set.of(DelegatingDataSource.class,
			TransactionAwareDataSourceProxy.class, LazyConnectionDataSourceProxy.class);

	private final HikariDataSource pool;

	WorkerConnections(DataSource application) {
		this.pool = new HikariDataSource();
		DataSource dataSource = behindProxies(application);
		HikariDataSource hikari = hikari(dataSource);
		if (hikari != null) {
			leadToTheSame(hikari, this.pool);
		}
		else {
			this.pool.setDataSource(dataSource);
		}
		if (hikari == null && !opensAConnectionEachTime(dataSource)) {
			// another pool gets its connections back, and the application with them
			this.pool.setConnectionInitSql(null);
		}
		else {
			this.pool.setConnectionInitSql(session((hikari != null) ? hikari.getConnectionInitSql() : null));
		}
		this.pool.setPoolName("queue");
		this.pool.setMaximumPoolSize(MOST);
		this.pool.setMinimumIdle(1);
		this.pool.setIdleTimeout(IDLE.toMillis());
		this.pool.setConnectionTimeout(Duration.ofSeconds(5).toMillis());
		this.pool.setInitializationFailTimeout(-1); // the worker waits for a database
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
		to.setCredentialsProvider(() -> credentials(from));
		to.setDataSourceProperties(from.getDataSourceProperties());
		to.setSchema(from.getSchema());
		to.setCatalog(from.getCatalog());
		to.setMaxLifetime(from.getMaxLifetime());
		if (from.getDataSourceClassName() == null || from.getDataSourceClassName().startsWith("org.postgresql.")) {
			to.getDataSourceProperties().putIfAbsent("socketTimeout", String.valueOf(SOCKET_TIMEOUT.toSeconds()));
			to.getDataSourceProperties().putIfAbsent("tcpKeepAlive", "true");
			to.getDataSourceProperties().putIfAbsent("ApplicationName", "pgqueue");
		}
	}

	/** Asked for each connection: a token may expire, a password may be changed. */
	private static Credentials credentials(HikariConfig application) {
		return (application.getCredentialsProvider() != null) ? application.getCredentialsProvider().getCredentials()
				: application.getCredentials();
	}

	private static DataSource behindProxies(DataSource application) {
		DataSource dataSource = application;
		while (TRANSPARENT.contains(dataSource.getClass())
				&& ((DelegatingDataSource) dataSource).getTargetDataSource() != null) {
			dataSource = ((DelegatingDataSource) dataSource).getTargetDataSource();
		}
		return dataSource;
	}

	private static @Nullable HikariDataSource hikari(DataSource dataSource) {
		return (dataSource instanceof DelegatingDataSource) ? null
				: DataSourceUnwrapper.unwrap(dataSource, HikariConfigMXBean.class, HikariDataSource.class);
	}

	private static boolean opensAConnectionEachTime(DataSource dataSource) {
		return dataSource instanceof PGSimpleDataSource || dataSource instanceof AbstractDriverBasedDataSource;
	}

	/**
	 * What the application's own sessions begin with comes first, a role for example; it
	 * may end in a comment.
	 */
	private static String session(@Nullable String application) {
		return (application != null) ? application.strip().replaceAll(";$", "") + "\n; " + SESSION : SESSION;
	}

	DataSource dataSource() {
		return this.pool;
	}

	@Override
	public void close() {
		this.pool.close();
	}

}

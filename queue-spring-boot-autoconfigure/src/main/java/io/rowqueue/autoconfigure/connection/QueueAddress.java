package io.rowqueue.autoconfigure.connection;

import java.time.Duration;
import java.util.Objects;
import java.util.Properties;
import java.util.Set;

import javax.sql.DataSource;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariConfigMXBean;
import com.zaxxer.hikari.HikariDataSource;
import com.zaxxer.hikari.util.Credentials;
import com.zaxxer.hikari.util.DriverDataSource;
import com.zaxxer.hikari.util.PropertyElf;
import com.zaxxer.hikari.util.UtilityElf;
import io.rowqueue.autoconfigure.ConnectionProperties;
import io.rowqueue.engine.database.BoundedSocketFactory;
import io.rowqueue.engine.database.StatementTimeouts;
import io.rowqueue.engine.database.WorkerDataSource;
import org.jspecify.annotations.Nullable;
import org.postgresql.ds.PGSimpleDataSource;
import org.springframework.boot.jdbc.DataSourceUnwrapper;
import org.springframework.jdbc.datasource.AbstractDriverBasedDataSource;
import org.springframework.jdbc.datasource.DelegatingDataSource;
import org.springframework.jdbc.datasource.LazyConnectionDataSourceProxy;
import org.springframework.jdbc.datasource.TransactionAwareDataSourceProxy;
import org.springframework.jdbc.datasource.lookup.JndiDataSourceLookup;

/**
 * The address of the application's {@code DataSource}, for the queue's own connections.
 * The address of a Hikari pool is known; any other pool lends connections.
 */
final class QueueAddress {

	private static final String APPLICATION_NAME = "rowqueue";

	/** Proxies that change neither the address of a connection nor its user. */
	private static final Set<Class<?>> TRANSPARENT = Set.of(DelegatingDataSource.class,
			TransactionAwareDataSourceProxy.class, LazyConnectionDataSourceProxy.class);

	private final StatementTimeouts timeouts;

	private final Duration loginTimeout;

	private final DataSource application;

	private final @Nullable HikariDataSource hikari;

	QueueAddress(DataSource application, ConnectionProperties properties) {
		this.timeouts = properties.timeouts();
		this.loginTimeout = properties.connectionTimeout();
		this.application = behindProxies(application);
		this.hikari = hikari(this.application);
	}

	/** Configures a pool with the address and the timeouts of statements. */
	void lead(HikariConfig pool) {
		lead(pool, APPLICATION_NAME, this.timeouts);
	}

	/** Configures a pool whose sessions have their own name and timeouts. */
	void lead(HikariConfig pool, String applicationName, StatementTimeouts timeouts) {
		// otherwise Hikari asks its first connection for it, and opens no connection any
		// more if that one breaks (its issue 1944)
		pool.setTransactionIsolation("TRANSACTION_READ_COMMITTED");
		if (this.hikari == null) {
			pool.setDataSource(new WorkerDataSource(this.application, !opensAConnectionEachTime(this.application), null,
					timeouts));
			return;
		}
		pool.setDataSource(new WorkerDataSource(target(this.hikari, applicationName), false,
				this.hikari.getConnectionInitSql(), timeouts));
		pool.setCredentialsProvider(() -> credentials(this.hikari));
		pool.setCatalog(this.hikari.getCatalog());
		pool.setMaxLifetime(this.hikari.getMaxLifetime());
	}

	/** Returns unpooled connections, or the application's if it reads only. */
	DataSource unpooled() {
		if (this.hikari == null || this.hikari.isReadOnly()) {
			return this.application;
		}
		return new WorkerDataSource(
				new CredentialsDataSource(target(this.hikari, APPLICATION_NAME), () -> credentials(this.hikari)), false,
				this.hikari.getConnectionInitSql(), this.timeouts);
	}

	/** Returns unpooled connections to another address, for the session that listens. */
	DataSource direct(String url, QueueConnectionDetails details) {
		PGSimpleDataSource target = new PGSimpleDataSource();
		setUrl(target, url);
		target.setTcpKeepAlive(true);
		if (target.getSocketTimeout() == 0) {
			target.setSocketTimeout((int) this.timeouts.socket().toSeconds());
		}
		if (target.getLoginTimeout() == 0) {
			target.setLoginTimeout((int) loginSeconds());
		}
		target.setApplicationName(APPLICATION_NAME);
		if (target.getSocketFactory() == null && BoundedSocketFactory.isKnownToDriver()) {
			target.setSocketFactory(BoundedSocketFactory.class.getName());
		}
		return new WorkerDataSource(new CredentialsDataSource(target, () -> credentials(details)), false, null,
				this.timeouts);
	}

	/** Without the driver's message, which quotes a URL that may contain a password. */
	private static void setUrl(PGSimpleDataSource target, String url) {
		try {
			target.setUrl(url);
		}
		catch (IllegalArgumentException ex) {
			throw new IllegalArgumentException(
					"The address for notifications (rowqueue.notifications.url, or a QueueConnectionDetails bean) is not a URL"
							+ " that the PostgreSQL driver accepts");
		}
	}

	private long loginSeconds() {
		return Math.max(1, this.loginTimeout.toSeconds());
	}

	private @Nullable Credentials credentials(QueueConnectionDetails details) {
		if (details.getUsername() != null) {
			return Credentials.of(details.getUsername(), details.getPassword());
		}
		return (this.hikari != null) ? credentials(this.hikari) : null;
	}

	/** Returns the {@code DataSource} that Hikari opens connections with. */
	private DataSource target(HikariDataSource pool, String applicationName) {
		if (pool.getDataSource() != null) {
			return pool.getDataSource();
		}
		Properties properties = PropertyElf.copyProperties(pool.getDataSourceProperties());
		String type = pool.getDataSourceClassName();
		if (type == null || type.startsWith("org.postgresql.")) {
			properties.putIfAbsent("socketTimeout", String.valueOf(this.timeouts.socket().toSeconds()));
			properties.putIfAbsent("loginTimeout", String.valueOf(loginSeconds()));
			properties.putIfAbsent("tcpKeepAlive", "true");
			properties.putIfAbsent("ApplicationName", applicationName);
			boolean own = String.valueOf(properties.get("url")).contains("socketFactory=");
			if (!own && BoundedSocketFactory.isKnownToDriver()) {
				properties.putIfAbsent("socketFactory", BoundedSocketFactory.class.getName());
			}
		}
		if (type != null) {
			DataSource target = UtilityElf.createInstance(type, DataSource.class);
			PropertyElf.setTargetFromProperties(target, properties);
			return target;
		}
		if (pool.getJdbcUrl() != null) {
			return new DriverDataSource(pool.getJdbcUrl(), pool.getDriverClassName(), properties, null, null);
		}
		return new JndiDataSourceLookup().getDataSource(Objects.requireNonNull(pool.getDataSourceJNDI()));
	}

	/** Called for each connection: a token may expire, a password may change. */
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

}

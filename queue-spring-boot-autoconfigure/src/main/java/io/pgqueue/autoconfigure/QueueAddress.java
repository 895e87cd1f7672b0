package io.pgqueue.autoconfigure;

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
import io.pgqueue.autoconfigure.QueueProperties.Notifications;
import io.pgqueue.engine.database.BoundedSocketFactory;
import io.pgqueue.engine.database.Limits;
import io.pgqueue.engine.database.WorkerDataSource;
import org.jspecify.annotations.Nullable;
import org.postgresql.ds.PGSimpleDataSource;
import org.springframework.boot.jdbc.DataSourceUnwrapper;
import org.springframework.jdbc.datasource.AbstractDriverBasedDataSource;
import org.springframework.jdbc.datasource.DelegatingDataSource;
import org.springframework.jdbc.datasource.LazyConnectionDataSourceProxy;
import org.springframework.jdbc.datasource.TransactionAwareDataSourceProxy;
import org.springframework.jdbc.datasource.lookup.JndiDataSourceLookup;

/**
 * Where the application's {@code DataSource} leads, for connections of the queue's own.
 * Of a Hikari pool everything is known; any other pool lends connections.
 */
final class QueueAddress {

	private static final String APPLICATION_NAME = "pgqueue";

	private static final Duration LOGIN_TIMEOUT = Duration.ofSeconds(5);

	/** Proxies that change nothing about where a connection leads or who it is. */
	private static final Set<Class<?>> TRANSPARENT = Set.of(DelegatingDataSource.class,
			TransactionAwareDataSourceProxy.class, LazyConnectionDataSourceProxy.class);

	private final DataSource application;

	private final @Nullable HikariDataSource hikari;

	QueueAddress(DataSource application) {
		this.application = behindProxies(application);
		this.hikari = hikari(this.application);
	}

	/** Leads a pool there, and bounds what its connections do. */
	void lead(HikariConfig pool) {
		lead(pool, APPLICATION_NAME, Limits.DEFAULT);
	}

	/** Leads a pool there whose sessions have a name and limits of their own. */
	void lead(HikariConfig pool, String applicationName, Limits limits) {
		if (this.hikari == null) {
			pool.setDataSource(
					new WorkerDataSource(this.application, !opensAConnectionEachTime(this.application), null, limits));
			return;
		}
		pool.setDataSource(new WorkerDataSource(target(this.hikari, applicationName), false,
				this.hikari.getConnectionInitSql(), limits));
		pool.setCredentialsProvider(() -> credentials(this.hikari));
		pool.setCatalog(this.hikari.getCatalog());
		pool.setMaxLifetime(this.hikari.getMaxLifetime());
	}

	/** Unpooled connections to another address, for one session that listens. */
	DataSource direct(String url, Notifications notifications) {
		PGSimpleDataSource target = new PGSimpleDataSource();
		setUrl(target, url);
		target.setTcpKeepAlive(true);
		if (target.getSocketTimeout() == 0) {
			target.setSocketTimeout((int) Limits.DEFAULT.socket().toSeconds());
		}
		if (target.getLoginTimeout() == 0) {
			target.setLoginTimeout((int) LOGIN_TIMEOUT.toSeconds());
		}
		target.setApplicationName(APPLICATION_NAME);
		if (target.getSocketFactory() == null && BoundedSocketFactory.isKnownToDriver()) {
			target.setSocketFactory(BoundedSocketFactory.class.getName());
		}
		return new WorkerDataSource(new SignedIn(target, () -> credentials(notifications)), false, null,
				Limits.DEFAULT);
	}

	/** The driver would show the whole URL, which may have a password in it. */
	private static void setUrl(PGSimpleDataSource target, String url) {
		try {
			target.setUrl(url);
		}
		catch (IllegalArgumentException ex) {
			throw new IllegalArgumentException(
					"pgqueue.notifications.url is no URL that the driver of PostgreSQL takes");
		}
	}

	private @Nullable Credentials credentials(Notifications notifications) {
		if (notifications.username() != null) {
			return Credentials.of(notifications.username(), notifications.password());
		}
		return (this.hikari != null) ? credentials(this.hikari) : null;
	}

	/** What Hikari opens connections with. */
	private static DataSource target(HikariDataSource pool, String applicationName) {
		if (pool.getDataSource() != null) {
			return pool.getDataSource();
		}
		Properties properties = PropertyElf.copyProperties(pool.getDataSourceProperties());
		String type = pool.getDataSourceClassName();
		if (type == null || type.startsWith("org.postgresql.")) {
			properties.putIfAbsent("socketTimeout", String.valueOf(Limits.DEFAULT.socket().toSeconds()));
			properties.putIfAbsent("loginTimeout", String.valueOf(LOGIN_TIMEOUT.toSeconds()));
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

}

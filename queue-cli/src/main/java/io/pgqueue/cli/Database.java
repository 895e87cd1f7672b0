package io.pgqueue.cli;

import java.util.Map;
import java.util.Properties;

import javax.sql.DataSource;

import com.zaxxer.hikari.HikariDataSource;
import io.pgqueue.schema.SchemaName;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.datasource.DataSourceUtils;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.jdbc.datasource.SingleConnectionDataSource;
import picocli.CommandLine.Option;

/** The options of the connection, which each command has. */
final class Database {

	@Option(names = { "-u", "--url" }, paramLabel = "URL", defaultValue = "${env:PGQUEUE_URL}",
			description = "The database, such as jdbc:postgresql://localhost:5432/shop (or set PGQUEUE_URL).",
			required = true)
	private String url = "";

	@Option(names = { "-U", "--user" }, defaultValue = "${env:PGUSER}", description = "The role (or set PGUSER).")
	private @Nullable String user;

	@Option(names = { "-W", "--password" }, defaultValue = "${env:PGPASSWORD}", interactive = true, arity = "0..1",
			description = "Asks for the password (or set PGPASSWORD, or use ~/.pgpass).")
	private char @Nullable [] password;

	@Option(names = { "-s", "--schema" }, defaultValue = "pgqueue",
			description = "The schema of the queue; ${DEFAULT-VALUE} by default.")
	private String schema = "pgqueue";

	SchemaName schema() {
		return new SchemaName(this.schema);
	}

	/** Passes the database on to a process that is started. */
	void addTo(Map<String, String> environment) {
		environment.put("PGQUEUE_URL", this.url);
		if (this.user != null) {
			environment.put("PGUSER", this.user);
		}
		if (this.password != null) {
			environment.put("PGPASSWORD", new String(this.password));
		}
	}

	/** Returns a pool of connections. */
	HikariDataSource pool(int size) {
		HikariDataSource pool = new HikariDataSource();
		pool.setDataSource(dataSource());
		pool.setMaximumPoolSize(size);
		return pool;
	}

	/** Returns new connections at each use. */
	DataSource dataSource() {
		String jdbcUrl = this.url.startsWith("postgres:") ? "postgresql" + this.url.substring("postgres".length())
				: this.url;
		DriverManagerDataSource dataSource = new DriverManagerDataSource(
				jdbcUrl.startsWith("jdbc:") ? jdbcUrl : "jdbc:" + jdbcUrl);
		Properties properties = new Properties();
		properties.setProperty("ApplicationName", "pgqueue-cli");
		if (this.user != null && !this.user.isBlank()) {
			properties.setProperty("user", this.user);
		}
		if (this.password != null) {
			properties.setProperty("password", new String(this.password));
		}
		dataSource.setConnectionProperties(properties);
		return dataSource;
	}

	/** Opens the queue, on one connection that the caller closes. */
	SingleConnectionDataSource connect() {
		return new SingleConnectionDataSource(DataSourceUtils.getConnection(dataSource()), true);
	}

}

package io.rowqueue.cli;

import java.util.Map;

import com.zaxxer.hikari.HikariDataSource;
import io.rowqueue.schema.SchemaName;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DataSourceUtils;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.jdbc.datasource.SingleConnectionDataSource;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The options of the connection, which each command on one database has. */
final class Database {

	@Option(names = { "-u", "--url" }, paramLabel = "URL", defaultValue = "${env:ROWQUEUE_URL}",
			description = "The database, such as jdbc:postgresql://localhost:5432/shop (or set ROWQUEUE_URL).",
			required = true)
	private String url = "";

	@Mixin
	private Connector connector = new Connector();

	SchemaName schema() {
		return this.connector.schema();
	}

	/** Passes the database on to a process that is started. */
	void addTo(Map<String, String> environment) {
		environment.put("ROWQUEUE_URL", this.url);
		this.connector.addTo(environment);
	}

	/** Returns a pool of connections. */
	HikariDataSource pool(int size) {
		HikariDataSource pool = this.connector.pool(this.url);
		pool.setMaximumPoolSize(size);
		return pool;
	}

	/** Returns new connections at each use. */
	DriverManagerDataSource dataSource() {
		return this.connector.dataSource(this.url);
	}

	/** Opens the queue, on one connection that the caller closes. */
	SingleConnectionDataSource connect() {
		SingleConnectionDataSource connection = new SingleConnectionDataSource(
				DataSourceUtils.getConnection(dataSource()), true);
		new JdbcTemplate(connection).execute(Connector.PLANNER);
		return connection;
	}

}

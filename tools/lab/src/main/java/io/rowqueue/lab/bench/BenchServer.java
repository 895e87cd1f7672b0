package io.rowqueue.lab.bench;

import java.io.IOException;
import java.net.URI;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.StringJoiner;
import java.util.TreeSet;

import io.rowqueue.lab.Machine;
import io.rowqueue.postgres.Database;
import io.rowqueue.postgres.PrivatePostgres;
import org.jspecify.annotations.Nullable;

/** The server of all runs; each run has a separate database. */
final class BenchServer implements AutoCloseable {

	/** As much as the server's memory holds, through that memory and through the log. */
	private static final String TOUCH = """
			insert into touched
			select repeat('x', 1000) from generate_series(1, pg_size_bytes(current_setting('shared_buffers')) / 1000)""";

	private final String url;

	private final @Nullable PrivatePostgres own;

	/** The parameters that the report contains. */
	private final Set<String> parameters;

	private BenchServer(String url, @Nullable PrivatePostgres own, Set<String> parameters) {
		this.url = url;
		this.own = own;
		this.parameters = new TreeSet<>(parameters);
	}

	static BenchServer open(BenchOptions options) throws IOException {
		if (options.url() != null) {
			return new BenchServer(options.url(), null, options.server().keySet());
		}
		PrivatePostgres server = PrivatePostgres.create(Machine.scratch("bench").resolve("server"), options.server());
		Database database = server.database();
		return new BenchServer(database.url() + "&user=" + database.username() + "&password=" + database.password(),
				server, options.server().keySet());
	}

	/**
	 * A server that has just begun takes each page of its memory, and creates each file
	 * of its log, when it first needs it: the first contestant would pay for that alone.
	 * A server of the user's is left as it is.
	 */
	void touch() throws SQLException {
		if (this.own != null) {
			execute("create table touched (filler text)");
			execute(TOUCH);
			execute("drop table touched");
		}
	}

	/** Describes the server, for the report. */
	String description() throws SQLException {
		StringJoiner settings = new StringJoiner(", ", " (", ")");
		for (String parameter : this.parameters) {
			settings.add(parameter + "=" + query("show " + parameter));
		}
		return "PostgreSQL " + query("show server_version") + settings;
	}

	@Nullable ProcessHandle process() {
		return (this.own != null) ? this.own.process().orElse(null) : null;
	}

	String createDatabase(String name) throws SQLException {
		drop(name);
		execute("create database " + name);
		execute("checkpoint");
		return this.url.replaceFirst("^(jdbc:postgresql://[^/]*/)[^?]*", "$1" + name);
	}

	void drop(String name) throws SQLException {
		execute("drop database if exists " + name + " with (force)");
	}

	/** How the processes of contestants find a database, whatever they are written in. */
	static Map<String, String> environment(String url) {
		Map<String, String> environment = new LinkedHashMap<>();
		URI uri = URI.create(url.substring("jdbc:".length()));
		String user = parameter(uri, "user");
		String password = parameter(uri, "password");
		environment.put("JDBC_URL", url);
		environment.put("PGHOST", uri.getHost());
		environment.put("PGPORT", Integer.toString((uri.getPort() > 0) ? uri.getPort() : 5432));
		environment.put("PGUSER", user);
		environment.put("PGPASSWORD", password);
		environment.put("PGDATABASE", uri.getPath().substring(1));
		environment.put("DATABASE_URL", "postgres://" + user + (password.isEmpty() ? "" : ":" + password) + "@"
				+ uri.getAuthority() + uri.getPath());
		return environment;
	}

	private static String parameter(URI uri, String name) {
		for (String pair : String.valueOf(uri.getQuery()).split("&", -1)) {
			if (pair.startsWith(name + "=")) {
				return pair.substring(name.length() + 1);
			}
		}
		return "";
	}

	private void execute(String sql) throws SQLException {
		try (Connection connection = DriverManager.getConnection(this.url);
				Statement statement = connection.createStatement()) {
			statement.execute(sql);
		}
	}

	private String query(String sql) throws SQLException {
		try (Connection connection = DriverManager.getConnection(this.url);
				Statement statement = connection.createStatement();
				ResultSet row = statement.executeQuery(sql)) {
			row.next();
			return row.getString(1);
		}
	}

	@Override
	public void close() {
		if (this.own != null) {
			this.own.close();
		}
	}

}

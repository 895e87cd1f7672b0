package io.pgqueue.lab.cost;

import java.io.IOException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.LinkedHashMap;
import java.util.Map;

import io.pgqueue.lab.Machine;
import io.pgqueue.postgres.Database;
import io.pgqueue.postgres.PrivatePostgres;

/** A server that counts its statements. */
final class CostServer implements AutoCloseable {

	private static final Map<String, String> SETTINGS = Map.of("max_connections", "200", "shared_buffers", "1GB",
			"max_wal_size", "4GB", "shared_preload_libraries", "pg_stat_statements", "pg_stat_statements.max", "5000");

	private final PrivatePostgres server;

	CostServer(Map<String, String> own) throws IOException {
		Map<String, String> settings = new LinkedHashMap<>(SETTINGS);
		settings.putAll(own);
		this.server = PrivatePostgres.create(Machine.scratch("cost").resolve("server"), settings);
	}

	ProcessHandle process() {
		return this.server.process().orElseThrow();
	}

	/** Creates an empty database. */
	Database create(String name) throws SQLException {
		execute(this.server.database(), "drop database if exists " + name + " with (force)", "create database " + name);
		return this.server.database(name);
	}

	static void execute(Database database, String... statements) throws SQLException {
		try (Connection connection = DriverManager.getConnection(database.url(), database.username(),
				database.password()); Statement statement = connection.createStatement()) {
			for (String sql : statements) {
				statement.execute(sql);
			}
		}
	}

	/** The number that a query returns. */
	static double number(Database database, String sql) throws SQLException {
		try (Connection connection = DriverManager.getConnection(database.url(), database.username(),
				database.password());
				Statement statement = connection.createStatement();
				ResultSet row = statement.executeQuery(sql)) {
			row.next();
			return row.getDouble(1);
		}
	}

	@Override
	public void close() {
		this.server.close();
	}

}

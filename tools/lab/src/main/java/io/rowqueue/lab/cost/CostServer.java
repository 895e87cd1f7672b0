package io.rowqueue.lab.cost;

import java.io.IOException;
import java.sql.SQLException;
import java.util.LinkedHashMap;
import java.util.Map;

import io.rowqueue.lab.Machine;
import io.rowqueue.lab.Sql;
import io.rowqueue.postgres.Database;
import io.rowqueue.postgres.PrivatePostgres;

/** A server that counts its statements. */
final class CostServer implements AutoCloseable {

	private static final Map<String, String> SETTINGS = Map.of("max_connections", "200", "shared_buffers", "1GB",
			"max_wal_size", "4GB", "wal_level", "minimal", "max_wal_senders", "0", "shared_preload_libraries",
			"pg_stat_statements", "pg_stat_statements.max", "5000");

	private final PrivatePostgres server;

	CostServer(String name, Map<String, String> own) throws IOException {
		Map<String, String> settings = new LinkedHashMap<>(SETTINGS);
		settings.putAll(own);
		this.server = PrivatePostgres.create(Machine.scratch(name).resolve("server"), settings);
	}

	ProcessHandle process() {
		return this.server.process().orElseThrow();
	}

	/** Creates an empty database. */
	Database create(String name) throws SQLException {
		Sql.execute(this.server.database(), "drop database if exists " + name + " with (force)",
				"create database " + name);
		return this.server.database(name);
	}

	@Override
	public void close() {
		this.server.close();
	}

}

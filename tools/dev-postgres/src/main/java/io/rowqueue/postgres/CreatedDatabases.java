package io.rowqueue.postgres;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The databases that this JVM created on a given server, and drops when it ends. */
final class CreatedDatabases {

	private static final Logger logger = LoggerFactory.getLogger(CreatedDatabases.class);

	private final Database server;

	private final List<String> names = new ArrayList<>();

	CreatedDatabases(Database server) {
		this.server = server;
		Runtime.getRuntime().addShutdownHook(new Thread(this::drop, "dev-postgres drop"));
	}

	synchronized void add(String name) {
		this.names.add(name);
	}

	private synchronized void drop() {
		if (this.names.isEmpty()) {
			return;
		}
		try (Connection connection = Connections.open(this.server, "dev-postgres")) {
			for (String name : this.names) {
				Connections.execute(connection, "drop database if exists \"" + name + "\" with (force)");
			}
		}
		catch (SQLException ex) {
			logger.warn("Left databases behind on {}: {}", this.server.url(), this.names, ex);
		}
	}

}

package io.pgqueue.postgres;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;

import org.awaitility.Awaitility;

/** Servers that do not stay long. */
final class TestServers {

	static final Linger SHORT = new Linger(Duration.ofSeconds(5), Duration.ofSeconds(1));

	static {
		Awaitility.setDefaultTimeout(Duration.ofSeconds(60)); // on the slowest machine
	}

	private TestServers() {
	}

	static ServerSettings durable(Path home) {
		return new ServerSettings(home, true, Provider.EMBEDDED, System.getProperty("postgres.version", "18"), SHORT);
	}

	static ServerSettings volatileIn(Path home) {
		return new ServerSettings(home, false, Provider.EMBEDDED, System.getProperty("postgres.version", "18"), SHORT);
	}

	static KeeperId keeper(Path home) {
		return new ServerHome(home).facts().orElseThrow().keeper();
	}

	static void awaitEnd(KeeperId keeper) {
		Awaitility.await().until(() -> !keeper.isAlive());
	}

	static void execute(Database database, String sql) throws SQLException {
		try (Connection connection = Connections.open(database, "test")) {
			Connections.execute(connection, sql);
		}
	}

	static String query(Database database, String sql) throws SQLException {
		try (Connection connection = Connections.open(database, "test")) {
			return Connections.query(connection, sql);
		}
	}

}

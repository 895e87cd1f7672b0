package io.rowqueue.postgres;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;

import org.awaitility.Awaitility;

/** Servers that do not stay long. */
final class TestServers {

	static {
		Awaitility.setDefaultTimeout(Duration.ofMinutes(3)); // on the slowest machine
	}

	private TestServers() {
	}

	static SharedServer durable(Path home) {
		return SharedServer.open(home, true, Duration.ofSeconds(1));
	}

	static SharedServer volatileIn(Path home) {
		return SharedServer.open(home, false, Duration.ofSeconds(1));
	}

	static ProcessHandle process(Path home) throws Exception {
		return Postmaster.of(home.resolve("data")).orElseThrow().process().orElseThrow();
	}

	static void awaitEnd(Path home) {
		Awaitility.await().until(() -> Postmaster.of(home.resolve("data")).isEmpty());
		Awaitility.await("data of earlier servers is deleted")
			.until(() -> home.toFile().list((directory, name) -> name.startsWith("discarded-")).length == 0);
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

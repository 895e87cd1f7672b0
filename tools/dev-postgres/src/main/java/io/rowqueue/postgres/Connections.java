package io.rowqueue.postgres;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Optional;
import java.util.Properties;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Plain connections to a server. */
final class Connections {

	private static final Logger logger = LoggerFactory.getLogger(Connections.class);

	private Connections() {
	}

	static Connection open(Database database, String applicationName) throws SQLException {
		Properties properties = new Properties();
		properties.setProperty("user", database.username());
		properties.setProperty("password", database.password());
		properties.setProperty("ApplicationName", applicationName);
		properties.setProperty("connectTimeout", "10");
		properties.setProperty("tcpKeepAlive", "true");
		return DriverManager.getConnection(database.url(), properties);
	}

	static Optional<Connection> tryOpen(Database database, String applicationName) {
		try {
			return Optional.of(open(database, applicationName));
		}
		catch (SQLException ex) {
			logger.debug("No server answers at {}", database.url(), ex);
			return Optional.empty();
		}
	}

	static String query(Connection connection, String sql) throws SQLException {
		try (Statement statement = connection.createStatement(); ResultSet result = statement.executeQuery(sql)) {
			result.next();
			return result.getString(1);
		}
	}

	static void execute(Connection connection, String sql) throws SQLException {
		try (Statement statement = connection.createStatement()) {
			statement.execute(sql);
		}
	}

}

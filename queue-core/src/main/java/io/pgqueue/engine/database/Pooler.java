package io.pgqueue.engine.database;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

import org.postgresql.PGConnection;

/**
 * A program between the driver and the server that lends each transaction another
 * session, such as PgBouncer. What a session is told there is told to whoever has it
 * next.
 */
public final class Pooler {

	private Pooler() {
	}

	/**
	 * Whether a connection leads to one. The server tells each client its process when it
	 * connects; a pooler tells a number of its own.
	 */
	public static boolean isBehind(Connection connection) throws SQLException {
		if (!connection.isWrapperFor(PGConnection.class)) {
			return false;
		}
		int told = connection.unwrap(PGConnection.class).getBackendPID();
		try (Statement statement = connection.createStatement();
				ResultSet row = statement.executeQuery("select pg_backend_pid()")) {
			row.next();
			return row.getInt(1) != told;
		}
	}

}

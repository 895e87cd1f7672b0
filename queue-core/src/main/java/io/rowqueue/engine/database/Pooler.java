package io.rowqueue.engine.database;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

import org.postgresql.PGConnection;

/**
 * A program between driver and server that assigns a server session to each transaction,
 * such as PgBouncer. Session settings affect the next client of the session there.
 */
public final class Pooler {

	private Pooler() {
	}

	/**
	 * Returns whether a connection leads to a pooler. The server sends its process id to
	 * each client when it connects; a pooler sends an id of its own.
	 */
	public static boolean isBehind(Connection connection) throws SQLException {
		if (!connection.isWrapperFor(PGConnection.class)) {
			return false;
		}
		int reported = connection.unwrap(PGConnection.class).getBackendPID();
		try (Statement statement = connection.createStatement();
				ResultSet row = statement.executeQuery("select pg_backend_pid()")) {
			row.next();
			return row.getInt(1) != reported;
		}
	}

}

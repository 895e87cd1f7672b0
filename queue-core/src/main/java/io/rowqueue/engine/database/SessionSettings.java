package io.rowqueue.engine.database;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * The settings for statements of workers. Sequential scans are disabled, since statistics
 * of a queue's tables are always outdated. A page costs the same in whatever order pages
 * are read: otherwise a planner that expects a few jobs in a lane may read and sort all
 * of them, to claim the first ones. The isolation is fixed, since a worker repeats failed
 * statements. Statements name their schema; operators and functions without a schema are
 * those of PostgreSQL and cannot be replaced by others. Settings that a server does not
 * know are omitted.
 */
final class SessionSettings {

	private final Map<String, String> values = new LinkedHashMap<>();

	SessionSettings(StatementTimeouts limits) {
		this.values.put("search_path", "pg_catalog, pg_temp");
		this.values.put("enable_seqscan", "off");
		this.values.put("seq_page_cost", "4");
		this.values.put("random_page_cost", "4");
		// up to PostgreSQL 17, the costs of disabled scans trigger compilation
		this.values.put("jit", "off");
		this.values.put("statement_timeout", limits.statement().toMillis() + "ms");
		this.values.put("lock_timeout", limits.lock().toMillis() + "ms");
		this.values.put("idle_in_transaction_session_timeout", limits.statement().toMillis() + "ms");
		this.values.put("idle_session_timeout", "0");
		this.values.put("transaction_timeout", "0");
		this.values.put("default_transaction_isolation", "read committed");
	}

	/**
	 * Applies the settings to a session; returns the previous ones, to be restored later.
	 */
	Map<String, String> apply(Connection connection) throws SQLException {
		Map<String, String> before = read(connection);
		write(connection, this.values);
		return before;
	}

	/** Sets other values of these settings for a session. */
	static void write(Connection connection, Map<String, String> values) throws SQLException {
		String sql = values.keySet()
			.stream()
			.map((name) -> ifKnown(name, "set_config('" + name + "', ?, false)"))
			.collect(Collectors.joining(", "));
		try (PreparedStatement statement = connection.prepareStatement("select " + sql)) {
			int i = 1;
			for (String value : values.values()) {
				statement.setString(i++, value);
			}
			statement.execute();
		}
	}

	/** Returns a statement that applies the settings to the transaction. */
	String forTransaction() {
		return this.values.entrySet()
			.stream()
			.map((value) -> ifKnown(value.getKey(),
					"set_config('" + value.getKey() + "', '" + value.getValue() + "', true)"))
			.collect(Collectors.joining(", ", "select ", ""));
	}

	private static String ifKnown(String name, String expression) {
		return "case when current_setting('" + name + "', true) is not null then " + expression + " end";
	}

	private Map<String, String> read(Connection connection) throws SQLException {
		String sql = this.values.keySet()
			.stream()
			.map((name) -> "current_setting('" + name + "', true)")
			.collect(Collectors.joining(", ", "select ", ""));
		try (Statement statement = connection.createStatement(); ResultSet row = statement.executeQuery(sql)) {
			Map<String, String> found = new LinkedHashMap<>();
			row.next();
			int column = 1;
			for (String name : this.values.keySet()) {
				String value = row.getString(column++);
				if (value != null) {
					found.put(name, value);
				}
			}
			return found;
		}
	}

}

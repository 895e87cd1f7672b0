package io.rowqueue.lab.contestant;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;

/**
 * Plain SQL for contestants.
 *
 * @param url where
 */
public record Db(String url) {

	/** A pool of that many connections, which are open. */
	public HikariDataSource pool(int size) {
		HikariConfig config = new HikariConfig();
		config.setJdbcUrl(this.url);
		config.setMaximumPoolSize(size);
		config.setMinimumIdle(size);
		return new HikariDataSource(config);
	}

	/** A connection of its own. */
	public Connection connect() throws SQLException {
		return DriverManager.getConnection(this.url);
	}

	/** Executes statements, each in a separate transaction. */
	public void execute(String... statements) throws SQLException {
		try (Connection connection = connect(); Statement statement = connection.createStatement()) {
			for (String sql : statements) {
				statement.execute(sql);
			}
		}
	}

	/** How many rows a table has. */
	public long count(String table) throws SQLException {
		return number("select count(*) from " + table);
	}

	/** How many different values an expression has in the rows of a table. */
	public long count(String table, String expression) throws SQLException {
		return number("select count(distinct " + expression + ") from " + table);
	}

	private long number(String sql) throws SQLException {
		try (Connection connection = connect();
				Statement statement = connection.createStatement();
				ResultSet row = statement.executeQuery(sql)) {
			row.next();
			return row.getLong(1);
		}
	}

	/** What a query answers whose result is one boolean. */
	public static boolean isTrue(Connection connection, String sql) throws SQLException {
		try (Statement statement = connection.createStatement(); ResultSet row = statement.executeQuery(sql)) {
			row.next();
			return row.getBoolean(1);
		}
	}

	/**
	 * Makes many rows out of the only one of a table, which goes.
	 * @param columns what is different in each, in terms of the row {@code t}, the number
	 * {@code g.i} and the text {@code g.uid}
	 */
	public void multiply(String table, int copies, Map<String, String> columns) throws SQLException {
		try (Connection connection = connect(); Statement statement = connection.createStatement()) {
			List<String> names = new ArrayList<>();
			List<String> values = new ArrayList<>();
			try (ResultSet rows = statement.executeQuery("select column_name from information_schema.columns"
					+ " where table_name = '" + table + "' and is_generated = 'NEVER' order by ordinal_position")) {
				while (rows.next()) {
					names.add(rows.getString(1));
					values.add(columns.getOrDefault(rows.getString(1), "t." + rows.getString(1)));
				}
			}
			statement.execute("create temp table original as select * from " + table);
			statement.execute("delete from " + table);
			statement.execute("insert into " + table + " (" + String.join(",", names) + ") select "
					+ String.join(",", values) + " from original t, (select i, md5(i::text)::uuid::text as uid"
					+ " from generate_series(0, " + (copies - 1) + ") i offset 0) g");
		}
	}

}

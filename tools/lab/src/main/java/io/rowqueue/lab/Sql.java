package io.rowqueue.lab;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;

import io.rowqueue.postgres.Database;

/** Statements of the lab itself, each call on a connection of its own. */
public final class Sql {

	private Sql() {
	}

	/** Connects. */
	public static Connection open(Database database) throws SQLException {
		return DriverManager.getConnection(database.url(), database.username(), database.password());
	}

	/** Executes statements one after the other. */
	public static void execute(Database database, String... statements) throws SQLException {
		try (Connection connection = open(database); Statement statement = connection.createStatement()) {
			for (String sql : statements) {
				statement.execute(sql);
			}
		}
	}

	/** The number that a query returns. */
	public static double number(Database database, String sql) throws SQLException {
		try (Connection connection = open(database);
				Statement statement = connection.createStatement();
				ResultSet row = statement.executeQuery(sql)) {
			row.next();
			return row.getDouble(1);
		}
	}

	/** The texts that a query returns. */
	public static List<String> texts(Database database, String sql) throws SQLException {
		List<String> texts = new ArrayList<>();
		try (Connection connection = open(database);
				Statement statement = connection.createStatement();
				ResultSet rows = statement.executeQuery(sql)) {
			while (rows.next()) {
				texts.add(rows.getString(1));
			}
		}
		return texts;
	}

}

package io.rowqueue.migration;

import java.security.SecureRandom;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;

import javax.sql.DataSource;

import io.rowqueue.postgres.Database;
import io.rowqueue.postgres.DevPostgres;
import io.rowqueue.testing.KeptConnections;
import io.rowqueue.testing.MigratedDatabase;
import org.jspecify.annotations.Nullable;

/**
 * A database of a test's own, or of the tests of a class, empty at first, with roles that
 * go when the test ends.
 */
final class TestDatabase implements AutoCloseable {

	private static final String PASSWORD = "secret";

	private @Nullable Database database;

	private final List<String> roles = new ArrayList<>();

	private Database database() {
		if (this.database == null) {
			this.database = DevPostgres.shared().createDatabase("schema");
		}
		return this.database;
	}

	/** Creates the queue's tables, or migrates them. */
	void createTables() {
		if (this.database == null) {
			this.database = MigratedDatabase.create("schema");
		}
		else {
			new QueueSchema(asOwner()).initialize();
		}
	}

	DataSource asOwner() {
		return dataSource(database().username(), database().password());
	}

	DataSource as(String role) {
		return dataSource(role, PASSWORD);
	}

	/** A role that may do nothing but connect. */
	String createRole() {
		String role = "schema_role_" + Long.toString(new SecureRandom().nextLong() >>> 1, Character.MAX_RADIX);
		execute("create role " + role + " login password '" + PASSWORD + "'");
		this.roles.add(role);
		return role;
	}

	void execute(String sql) {
		execute(asOwner(), sql);
	}

	void execute(DataSource dataSource, String sql) {
		try (Connection connection = dataSource.getConnection(); Statement statement = connection.createStatement()) {
			statement.execute(sql);
		}
		catch (SQLException ex) {
			throw new IllegalStateException(ex.getMessage(), ex);
		}
	}

	String query(String sql) {
		return query(asOwner(), sql);
	}

	String query(DataSource dataSource, String sql) {
		try (Connection connection = dataSource.getConnection();
				Statement statement = connection.createStatement();
				ResultSet row = statement.executeQuery(sql)) {
			return row.next() ? row.getString(1) : "no row";
		}
		catch (SQLException ex) {
			throw new IllegalStateException(ex.getMessage(), ex);
		}
	}

	/** The tables of a schema that are not partitions, in alphabetical order. */
	String tables(String schema) {
		return query("select string_agg(relname, ' ' order by relname) from pg_class where relkind in ('r', 'p')"
				+ " and not relispartition and relnamespace = (select oid from pg_namespace where nspname = '"
				+ schema.replace("'", "''") + "')");
	}

	private DataSource dataSource(String user, String password) {
		return KeptConnections.sessions(database(), user, password);
	}

	/** For a test of a class whose tests have one database. */
	void removeRoles() {
		for (String role : this.roles) {
			execute("drop owned by " + role + "; drop role " + role);
		}
		this.roles.clear();
	}

	@Override
	public void close() {
		removeRoles();
	}

}

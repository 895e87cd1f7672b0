package io.rowqueue.migration;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;

import io.rowqueue.schema.SchemaName;
import io.rowqueue.schema.SchemaPart;
import org.flywaydb.core.Flyway;

/**
 * Runs the migrations of a part with a separate Flyway instance that has its own history
 * table in the queue's schema, its own files, and no configuration of the application.
 * The installed version is read from the table {@code schema_version}, which each
 * migration writes, so that manually executed migrations count as well; the history is
 * adapted to it.
 */
final class FlywayRun {

	/**
	 * The history of the core; those of other parts have their names added to it. Not
	 * Flyway's default name, since the queue may share a schema with an application.
	 */
	static final String HISTORY = "rowqueue_schema_history";

	private final OneTransaction transaction;

	private final SchemaName schema;

	private final SchemaPart part;

	private final String table;

	FlywayRun(OneTransaction transaction, SchemaName schema, SchemaPart part) {
		this.transaction = transaction;
		this.schema = schema;
		this.part = part;
		this.table = (part == SchemaPart.core()) ? HISTORY : HISTORY + "_" + part.name();
	}

	void migrateFrom(int installedVersion) throws SQLException {
		String searchPath = searchPath();
		lookAt(this.schema.quoted());
		run(installedVersion);
		lookAt(searchPath);
	}

	private void run(int installedVersion) throws SQLException {
		if (historyExists() && historyVersion() != installedVersion) {
			this.transaction.execute("drop table " + history());
		}
		Flyway flyway = Flyway.configure(FlywayRun.class.getClassLoader())
			.loggers(MigrationLog.class.getName())
			.dataSource(this.transaction.asDataSource())
			.schemas(this.schema.value())
			.defaultSchema(this.schema.value())
			.createSchemas(true)
			.table(this.table)
			.locations("classpath:" + this.part.migrations().location())
			.failOnMissingLocations(true)
			.validateMigrationNaming(true)
			.placeholderReplacement(false)
			.baselineOnMigrate(true)
			.baselineVersion(String.valueOf(installedVersion))
			.baselineDescription("found at this version")
			.load();
		MigrationLog.quieted(flyway::migrate);
	}

	/**
	 * Flyway would add the schemas of the session, and the queue's tables and functions
	 * could then refer to objects that other roles have created there.
	 */
	private void lookAt(String searchPath) throws SQLException {
		String sql = "select set_config('search_path', ?, false)";
		try (PreparedStatement statement = this.transaction.connection().prepareStatement(sql)) {
			statement.setString(1, searchPath);
			statement.execute();
		}
	}

	private String searchPath() throws SQLException {
		String sql = "select current_setting('search_path')";
		try (PreparedStatement statement = this.transaction.connection().prepareStatement(sql);
				ResultSet row = statement.executeQuery()) {
			row.next();
			return row.getString(1);
		}
	}

	private boolean historyExists() throws SQLException {
		Connection connection = this.transaction.connection();
		try (PreparedStatement statement = connection.prepareStatement("select to_regclass(?) is not null")) {
			statement.setString(1, history());
			try (ResultSet row = statement.executeQuery()) {
				return row.next() && row.getBoolean(1);
			}
		}
	}

	private int historyVersion() throws SQLException {
		String sql = "select coalesce(max(version::integer), 0) from " + history() + " where success";
		try (PreparedStatement statement = this.transaction.connection().prepareStatement(sql);
				ResultSet row = statement.executeQuery()) {
			return row.next() ? row.getInt(1) : 0;
		}
	}

	private String history() {
		return this.schema.quoted() + "." + this.table;
	}

}

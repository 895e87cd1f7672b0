package io.rowqueue.migration;

import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import javax.sql.DataSource;

import io.rowqueue.migration.IdSequences.Behind;
import io.rowqueue.schema.SchemaName;
import io.rowqueue.schema.SchemaPart;
import org.flywaydb.core.api.FlywayException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Creates or upgrades the tables of the queue and of its parts on the class path, or
 * validates them. It uses one connection and one transaction, and changes nothing if it
 * fails. If several nodes start at the same time, one of them does the work, and the
 * others wait for it, for at most five minutes. Timeouts that are set for the database or
 * the role do not apply to this transaction.
 * <p>
 * A role that cannot create tables can use tables that the owner of the database has
 * created with {@link #script(Map)}. It cannot add the daily partitions of finished jobs,
 * and the default partition contains all of them.
 *
 * @since 0.1.0
 */
public final class QueueSchema {

	private static final Logger logger = LoggerFactory.getLogger(QueueSchema.class);

	private static final int NEWEST_TESTED_SERVER = 18;

	/** By what their version, or the URL, contains. */
	private static final Map<String, String> OTHER_ENGINES = Map.of("CockroachDB", "CockroachDB", "-YB-", "YugabyteDB",
			".dsql.", "Aurora DSQL");

	private final DataSource dataSource;

	private final SchemaName name;

	private final SchemaMode mode;

	private final Duration timeout;

	private final StartRefusals refusals;

	/**
	 * Creates an instance that creates or upgrades the tables in the schema
	 * {@code rowqueue}.
	 * @param dataSource the data source of the queue's database; one connection is
	 * sufficient
	 */
	public QueueSchema(DataSource dataSource) {
		this(dataSource, SchemaName.DEFAULT, SchemaMode.MIGRATE);
	}

	/**
	 * Creates an instance. No connection is used before {@link #initialize()} is called.
	 * @param dataSource the data source of the queue's database; one connection is
	 * sufficient
	 * @param name the schema of the queue's tables
	 * @param mode whether to create and upgrade the tables, or only to validate them
	 */
	public QueueSchema(DataSource dataSource, SchemaName name, SchemaMode mode) {
		this(dataSource, name, mode, MigrationTurn.TIMEOUT);
	}

	QueueSchema(DataSource dataSource, SchemaName name, SchemaMode mode, Duration timeout) {
		this.dataSource = dataSource;
		this.name = name;
		this.mode = mode;
		this.timeout = timeout;
		this.refusals = new StartRefusals(name);
	}

	/**
	 * Returns whether the queue can work with the tables as they are, and there is
	 * nothing to warn of. This is one round trip. After {@code false},
	 * {@link #initialize()} does what is missing, or says what it is.
	 * @param connections connections to the same database as the same user
	 * @return {@code false} also if the database is not available
	 */
	public boolean isCurrent(DataSource connections) {
		try (Connection connection = connections.getConnection()) {
			DatabaseMetaData server = connection.getMetaData();
			return isPostgres(server) && server.getDatabaseMajorVersion() >= StartRefusals.OLDEST_SERVER
					&& server.getDatabaseMajorVersion() <= NEWEST_TESTED_SERVER
					&& SchemaState.isUsable(connection, this.name);
		}
		catch (SQLException | IllegalStateException ex) {
			logger.debug("The schema '{}' cannot be used as it is", this.name, ex);
			return false;
		}
	}

	/**
	 * Creates, upgrades or validates the tables, depending on the mode.
	 * @throws QueueSchemaException if the queue cannot work with the database
	 */
	public void initialize() {
		try (Connection connection = connect()) {
			checkProduct(connection);
			checkVersion(connection.getMetaData());
			try (OneTransaction transaction = OneTransaction.begin(connection)) {
				initialize(transaction);
			}
		}
		catch (SQLException ex) {
			throw this.refusals.unreadable(ex);
		}
	}

	/**
	 * Returns the SQL with which the owner of the database can do the work of
	 * {@link SchemaMode#MIGRATE} manually, in one transaction.
	 * @param installed the installed version of each part, such as 5 of "core"; empty for
	 * none
	 * @return a script for psql or any other client
	 * @throws IllegalArgumentException if there is no such part or version
	 */
	public String script(Map<String, Integer> installed) {
		return new SchemaScript(this.name, new SchemaVersions(installed), null).sql();
	}

	/**
	 * Returns the version of each part of the schema that this library requires.
	 * @return the version by the name of the part, such as "core"
	 */
	public static Map<String, Integer> newestVersions() {
		return SchemaVersions.newest().installed();
	}

	private Connection connect() {
		try {
			return this.dataSource.getConnection();
		}
		catch (SQLException | IllegalStateException ex) { // the latter if it routes
			throw this.refusals.noConnection(ex);
		}
	}

	private static boolean isPostgres(DatabaseMetaData server) throws SQLException {
		return server.getDatabaseProductName().equals("PostgreSQL");
	}

	/** The driver takes whatever speaks the protocol of PostgreSQL for PostgreSQL. */
	private void checkProduct(Connection connection) throws SQLException {
		DatabaseMetaData server = connection.getMetaData();
		if (!isPostgres(server)) {
			throw this.refusals.notPostgres(server.getDatabaseProductName() + " " + server.getDatabaseProductVersion());
		}
		try (Statement statement = connection.createStatement();
				ResultSet row = statement.executeQuery("select version()")) {
			row.next();
			String version = row.getString(1);
			String versionAndUrl = version + " " + server.getURL();
			for (Map.Entry<String, String> engine : OTHER_ENGINES.entrySet()) {
				if (versionAndUrl.contains(engine.getKey())) {
					throw this.refusals.notPostgres(engine.getValue() + " (" + version + ")");
				}
			}
		}
		if (!connection.getAutoCommit()) {
			connection.rollback();
		}
	}

	private void checkVersion(DatabaseMetaData server) throws SQLException {
		String version = server.getDatabaseProductVersion();
		if (server.getDatabaseMajorVersion() < StartRefusals.OLDEST_SERVER) {
			throw this.refusals.tooOld(version);
		}
		if (server.getDatabaseMajorVersion() > NEWEST_TESTED_SERVER) {
			logger.warn("The server is PostgreSQL {}. This version of the queue has been tested with {} to {}.",
					version, StartRefusals.OLDEST_SERVER, NEWEST_TESTED_SERVER);
		}
	}

	private void initialize(OneTransaction transaction) throws SQLException {
		SchemaState state = readable(transaction.connection());
		SchemaVersions versions = versions(state, transaction.connection());
		boolean isOlder = !versions.older().isEmpty();
		if (isOlder && this.mode == SchemaMode.VALIDATE) {
			throw versions.hasCore() ? this.refusals.older(state, versions) : this.refusals.missing(state);
		}
		if (isOlder) {
			migrate(transaction);
			state = readable(transaction.connection());
		}
		if (!state.missingObjects().isEmpty()) {
			throw this.refusals.incomplete(state);
		}
		if (!state.missingPrivileges().isEmpty()) {
			throw this.refusals.mayNotUseTables(state);
		}
		advanceSequences(transaction);
		if (state.publicMayCreate()) {
			logger
				.warn("Every role may create functions in the schema '{}', which the queue's own functions call with the"
						+ " rights of their owner. Let the owner of the database run: revoke create on schema {} from"
						+ " public;", this.name, this.name.quoted());
		}
		transaction.commit();
	}

	/** After a copy of the rows only, new jobs would get the ids of others. */
	private void advanceSequences(OneTransaction transaction) throws SQLException {
		IdSequences sequences = new IdSequences(transaction.connection(), this.name);
		List<Behind> behind = sequences.behind();
		if (behind.isEmpty()) {
			return;
		}
		if (this.mode == SchemaMode.VALIDATE || !behind.stream().allMatch(Behind::mayAdvance)) {
			throw this.refusals.behind(behind);
		}
		new MigrationTurn(transaction.connection(), this.name, this.timeout).await();
		transaction.limitLocks();
		behind = sequences.behind();
		sequences.advance(behind);
		if (!behind.isEmpty()) {
			logger
				.warn("Ids in the schema '{}' were greater than the positions of their sequences, as after a copy that"
						+ " does not include sequences. Executed: {}", this.name, Behind.remedies(behind));
		}
	}

	private SchemaState readable(Connection connection) throws SQLException {
		SchemaState state = SchemaState.read(connection, this.name);
		if (state.escapes()) {
			throw this.refusals.escapes();
		}
		if (state.readOnly()) {
			throw this.refusals.readOnly(null);
		}
		if (!state.hiddenTables().isEmpty()) {
			throw this.refusals.hidden(state);
		}
		if (state.exists() && !state.mayUse()) {
			throw this.refusals.mayNotUseSchema(state);
		}
		if (state.hasVersion() && !state.mayReadVersion()) {
			throw this.refusals.mayNotReadVersion(state);
		}
		return state;
	}

	private SchemaVersions versions(SchemaState state, Connection connection) throws SQLException {
		SchemaVersions versions = state.versions(connection, this.name);
		if (!versions.newer().isEmpty()) {
			throw this.refusals.newer(versions);
		}
		return versions;
	}

	private void migrate(OneTransaction transaction) throws SQLException {
		new MigrationTurn(transaction.connection(), this.name, this.timeout).await();
		transaction.limitLocks();
		SchemaState state = readable(transaction.connection());
		SchemaVersions versions = versions(state, transaction.connection());
		List<SchemaPart> older = versions.older();
		if (older.isEmpty()) {
			return;
		}
		if (!state.exists() && !state.mayCreateSchema()) {
			throw this.refusals.mayNotCreateSchema(state);
		}
		if (state.exists() && !state.mayCreateTables()) {
			throw this.refusals.mayNotCreateTables(state, versions);
		}
		// a schema that is configured explicitly may be shared
		if (!state.hasVersion() && state.holdsOthers() && this.name.equals(SchemaName.DEFAULT)) {
			throw this.refusals.foreign(state);
		}
		try {
			for (SchemaPart part : older) {
				new FlywayRun(transaction, this.name, part).migrateFrom(versions.of(part));
			}
		}
		catch (SQLException | FlywayException ex) {
			throw this.refusals.failed(state, versions, ex);
		}
		if (!versions.hasCore()) {
			logger.info("Created the tables of the queue in the schema '{}'", this.name);
		}
		else {
			logger.info("Upgraded the tables of the queue in the schema '{}': {}", this.name, changes(versions));
		}
	}

	private static String changes(SchemaVersions before) {
		List<String> changes = new ArrayList<>();
		for (SchemaPart part : before.older()) {
			int version = before.of(part);
			changes.add((version == 0) ? "added " + part
					: part + " from version " + version + " to " + part.newestVersion());
		}
		return String.join(", ", changes);
	}

}

package io.pgqueue.schema;

import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.SQLException;
import java.time.Duration;

import javax.sql.DataSource;

import org.flywaydb.core.api.FlywayException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Brings the queue's tables to the version that this library needs, or checks that they
 * are. It takes one connection and one transaction: it works or changes nothing. Any
 * number of nodes may start at once; one of them does the work and the others wait for
 * it, for at most five minutes. Timeouts that are set for the database or the role do not
 * apply to that transaction.
 * <p>
 * A role that may not create tables can run the queue all the same, with tables that the
 * owner made from {@link #script(int)}. It then cannot add the daily partitions of
 * finished jobs: the default partition keeps them all.
 *
 * @since 0.1.0
 */
public final class QueueSchema {

	private static final Logger logger = LoggerFactory.getLogger(QueueSchema.class);

	private final DataSource dataSource;

	private final SchemaName name;

	private final SchemaMode mode;

	private final Duration patience;

	private final Refusals refusals;

	/**
	 * Creates or upgrades the tables in the schema {@code queue}; nothing is done yet.
	 * @param dataSource leads to the queue's database; a pool of one connection is enough
	 */
	public QueueSchema(DataSource dataSource) {
		this(dataSource, SchemaName.DEFAULT, SchemaMode.MIGRATE);
	}

	/**
	 * Describes what to do; nothing is done yet.
	 * @param dataSource leads to the queue's database; a pool of one connection is enough
	 * @param name the schema of the queue's tables
	 * @param mode whether to create and upgrade or only to check
	 */
	public QueueSchema(DataSource dataSource, SchemaName name, SchemaMode mode) {
		this(dataSource, name, mode, MigrationTurn.PATIENCE);
	}

	QueueSchema(DataSource dataSource, SchemaName name, SchemaMode mode, Duration patience) {
		this.dataSource = dataSource;
		this.name = name;
		this.mode = mode;
		this.patience = patience;
		this.refusals = new Refusals(name);
	}

	/**
	 * Creates or upgrades the tables, or checks them, as the mode says.
	 * @throws QueueSchemaException if the queue cannot work with the database
	 */
	public void initialize() {
		try (Connection connection = connect()) {
			checkServer(connection.getMetaData());
			try (OneTransaction transaction = OneTransaction.begin(connection)) {
				initialize(transaction);
			}
		}
		catch (SQLException ex) {
			throw this.refusals.unreadable(ex);
		}
	}

	/**
	 * The SQL that does by hand what {@link SchemaMode#MIGRATE} would do, in one
	 * transaction.
	 * @param fromVersion the version that is installed, 0 for none
	 * @return a script for psql or any other client
	 * @throws IllegalArgumentException if there is no such version
	 */
	public String script(int fromVersion) {
		return new SchemaScript(this.name, fromVersion, null).sql();
	}

	/**
	 * The version of the schema that this library needs.
	 * @return 1 or more
	 */
	public static int newestVersion() {
		return Migration.newestVersion();
	}

	private Connection connect() {
		try {
			return this.dataSource.getConnection();
		}
		catch (SQLException ex) {
			throw this.refusals.noConnection(ex);
		}
	}

	private void checkServer(DatabaseMetaData server) throws SQLException {
		if (!server.getDatabaseProductName().equals("PostgreSQL")) {
			throw this.refusals.notPostgres(server.getDatabaseProductName(), server.getDatabaseProductVersion());
		}
		if (server.getDatabaseMajorVersion() < Refusals.OLDEST_SERVER) {
			throw this.refusals.tooOld(server.getDatabaseProductVersion());
		}
	}

	private void initialize(OneTransaction transaction) throws SQLException {
		SchemaState state = readable(transaction.connection());
		int version = version(state, transaction.connection());
		if (version < newestVersion() && this.mode == SchemaMode.VALIDATE) {
			throw (version == 0) ? this.refusals.missing(state) : this.refusals.older(state, version);
		}
		if (version < newestVersion()) {
			migrate(transaction);
			state = readable(transaction.connection());
		}
		if (!state.missingPrivileges().isEmpty()) {
			throw this.refusals.mayNotUseTables(state);
		}
		if (state.publicMayCreate()) {
			logger
				.warn("Every role may create functions in the schema '{}', which the queue's own functions call with the"
						+ " rights of their owner. Let the owner of the database run: revoke create on schema {} from"
						+ " public;", this.name, this.name.quoted());
		}
		transaction.commit();
	}

	private SchemaState readable(Connection connection) throws SQLException {
		SchemaState state = SchemaState.read(connection, this.name);
		if (state.readOnly()) {
			throw this.refusals.readOnly(null);
		}
		if (state.exists() && !state.mayUse()) {
			throw this.refusals.mayNotUseSchema(state);
		}
		if (state.hasVersion() && !state.mayReadVersion()) {
			throw this.refusals.mayNotReadVersion(state);
		}
		return state;
	}

	private int version(SchemaState state, Connection connection) throws SQLException {
		int version = state.version(connection, this.name);
		if (version > newestVersion()) {
			throw this.refusals.newer(version);
		}
		return version;
	}

	private void migrate(OneTransaction transaction) throws SQLException {
		new MigrationTurn(transaction.connection(), this.name, this.patience).await();
		transaction.limitLocks();
		SchemaState state = readable(transaction.connection());
		int version = version(state, transaction.connection());
		if (version == newestVersion()) {
			return;
		}
		if (!state.exists() && !state.mayCreateSchema()) {
			throw this.refusals.mayNotCreateSchema(state);
		}
		if (state.exists() && !state.mayCreateTables()) {
			throw this.refusals.mayNotCreateTables(state, version);
		}
		// whoever names another schema has chosen it, even if it is shared
		if (!state.hasVersion() && state.holdsOthers() && this.name.equals(SchemaName.DEFAULT)) {
			throw this.refusals.foreign(state);
		}
		try {
			new FlywayRun(transaction, this.name).migrateFrom(version);
		}
		catch (SQLException | FlywayException ex) {
			throw this.refusals.failed(state, version, ex);
		}
	}

}

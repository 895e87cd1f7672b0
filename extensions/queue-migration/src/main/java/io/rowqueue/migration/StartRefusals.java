package io.rowqueue.migration;

import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;

import io.rowqueue.engine.support.ErrorText;
import io.rowqueue.migration.IdSequences.Behind;
import io.rowqueue.migration.QueueSchemaException.Reason;
import io.rowqueue.schema.SchemaName;
import io.rowqueue.schema.SchemaPart;
import org.jspecify.annotations.Nullable;

/** The messages for all reasons that prevent a start: the problem and the remedy. */
record StartRefusals(SchemaName schema) {

	static final int OLDEST_SERVER = 15;

	private static final String LOCKED = "End the transaction that holds it, which pg_locks and pg_stat_activity name,"
			+ " and start again.";

	QueueSchemaException noConnection(Exception ex) {
		return new QueueSchemaException(Reason.NO_CONNECTION,
				"The queue cannot open a connection to its database: " + message(ex) + ".",
				"Check that the server is up, and the URL, user and password of the data source.", ex);
	}

	QueueSchemaException notPostgres(String server) {
		return new QueueSchemaException(Reason.NOT_POSTGRESQL,
				"The queue needs PostgreSQL, but its data source connects to " + server + ".",
				"Give the queue a separate data source that connects to PostgreSQL " + OLDEST_SERVER + " or newer.");
	}

	QueueSchemaException tooOld(String version) {
		return new QueueSchemaException(Reason.SERVER_TOO_OLD,
				"The queue needs PostgreSQL " + OLDEST_SERVER + " or newer, but the server is PostgreSQL " + version
						+ ".",
				"Upgrade the server, or give the queue a separate data source that connects to a newer one. If the server"
						+ " is another product that speaks the protocol of PostgreSQL, such as Spanner: the queue needs"
						+ " PostgreSQL itself.");
	}

	QueueSchemaException readOnly(@Nullable SQLException cause) {
		return new QueueSchemaException(Reason.READ_ONLY,
				"The queue's database is read-only: the server is a standby, or the connection is read-only.",
				"Point the data source at the primary (with several hosts in the URL: targetServerType=primary)"
						+ " and do not make its connections read-only. If default_transaction_read_only is on for the role or"
						+ " the database: alter role … or alter database … reset default_transaction_read_only.",
				cause);
	}

	QueueSchemaException escapes() {
		return new QueueSchemaException(Reason.UNSUITABLE_SETTING,
				"The setting standard_conforming_strings is off for the queue's sessions: PostgreSQL would read its"
						+ " statements and functions in another way.",
				"Set it to on, its default: alter role … or alter database … set standard_conforming_strings = on."
						+ " A program that needs it to be off can set it for its own sessions.");
	}

	QueueSchemaException mayNotCreateSchema(SchemaState state) {
		return missingPrivilege(
				"The schema '" + this.schema + "' does not exist, and the role '" + state.role()
						+ "' may not create it in the database '" + state.database() + "'.",
				"grant create on database " + SchemaName.quoted(state.database()) + " to " + role(state),
				script(SchemaVersions.NONE, state));
	}

	QueueSchemaException mayNotUseSchema(SchemaState state) {
		return missingPrivilege("The role '" + state.role() + "' may not use the schema '" + this.schema + "'.",
				"grant usage on schema " + this.schema.quoted() + " to " + role(state), null);
	}

	QueueSchemaException mayNotReadVersion(SchemaState state) {
		return missingPrivilege("The role '" + state.role() + "' may not read the table schema_version in the schema '"
				+ this.schema + "'.", "grant select on " + this.schema.quoted() + ".schema_version to " + role(state),
				null);
	}

	QueueSchemaException mayNotCreateTables(SchemaState state, SchemaVersions versions) {
		return missingPrivilege(
				"The role '" + state.role() + "' may not create tables in the schema '" + this.schema + "'.",
				"grant create on schema " + this.schema.quoted() + " to " + role(state), script(versions, state));
	}

	QueueSchemaException mayNotUseTables(SchemaState state) {
		return missingPrivilege(
				"The role '" + state.role() + "' lacks privileges in the schema '" + this.schema + "': "
						+ String.join(", ", state.missingPrivileges()) + ".",
				"grant select, insert, update, delete on all tables in schema " + this.schema.quoted() + " to "
						+ role(state) + "; grant usage on all sequences in schema " + this.schema.quoted() + " to "
						+ role(state) + "; grant execute on all functions in schema " + this.schema.quoted() + " to "
						+ role(state),
				script(SchemaVersions.newest(), state));
	}

	/**
	 * Hidden rows are not an error for PostgreSQL: jobs would wait forever, or run again.
	 */
	QueueSchemaException hidden(SchemaState state) {
		return new QueueSchemaException(Reason.MISSING_PRIVILEGE,
				"Row-level security hides rows in the schema '" + this.schema + "' from the role '" + state.role()
						+ "', in the tables: " + String.join(", ", state.hiddenTables()) + ".",
				"Let the owner of the schema run: "
						+ forEach(state.hiddenTables(), "alter table %s disable row level security;")
						+ " Or, where row-level security is required: " + forEach(state.hiddenTables(),
								"create policy rowqueue on %s to " + role(state) + " using (true);"));
	}

	QueueSchemaException incomplete(SchemaState state) {
		return new QueueSchemaException(Reason.SCHEMA_INCOMPLETE,
				"The schema '" + this.schema + "' has the versions " + SchemaVersions.newest()
						+ ", but it lacks tables, views, functions or sequences of them: "
						+ String.join(", ", state.missingObjects()) + ".",
				"Restore the schema completely: a copy has to contain all objects of the schema, not only its tables.");
	}

	QueueSchemaException behind(List<Behind> sequences) {
		return new QueueSchemaException(Reason.SEQUENCE_BEHIND,
				"Ids in the schema '" + this.schema + "' would be given twice: rows have ids that the sequence "
						+ sequences.stream().map(Behind::name).collect(Collectors.joining(", "))
						+ " has not given yet, as after a copy of the database that does not include sequences.",
				"Let the owner of the schema run: " + Behind.remedies(sequences));
	}

	QueueSchemaException newer(SchemaVersions versions) {
		return new QueueSchemaException(Reason.SCHEMA_NEWER,
				"The schema '" + this.schema + "' is newer than this library: " + versions.describe(versions.newer())
						+ ".",
				"Use the version of the library that upgraded the schema, or a newer one; a schema cannot be"
						+ " downgraded.");
	}

	QueueSchemaException missing(SchemaState state) {
		return new QueueSchemaException(Reason.SCHEMA_MISSING,
				"The database '" + state.database() + "' contains no tables of the queue in the schema '" + this.schema
						+ "', and they are only validated, not created.",
				"Let the owner of the database run the output of: " + script(SchemaVersions.NONE, state));
	}

	QueueSchemaException older(SchemaState state, SchemaVersions versions) {
		return new QueueSchemaException(Reason.SCHEMA_OLDER,
				"The schema '" + this.schema + "' is older than this library: " + versions.describe(versions.older())
						+ ". It is only validated, not upgraded.",
				"Let the owner of the schema run the output of: " + script(versions, state));
	}

	QueueSchemaException foreign(SchemaState state) {
		return new QueueSchemaException(Reason.SCHEMA_FOREIGN,
				"The schema '" + this.schema + "' of the database '" + state.database()
						+ "' contains tables, views or functions, but none of the queue's.",
				"Configure a separate schema for the queue with rowqueue.schema.name.");
	}

	/** The reason for which creating or upgrading failed, by the SQL state. */
	QueueSchemaException failed(SchemaState state, SchemaVersions versions, Exception ex) {
		SQLException answer = sqlException(ex);
		String sqlState = (answer != null) ? Objects.requireNonNullElse(answer.getSQLState(), "") : "";
		return switch (sqlState) {
			case "25006" -> readOnly(answer);
			case "42501" -> new QueueSchemaException(Reason.MISSING_PRIVILEGE,
					"The role '" + state.role() + "' may not upgrade the schema '" + this.schema + "': "
							+ versions.describe(versions.older()) + ": " + message(ex) + ".",
					"Let the owner of the schema run the output of: " + script(versions, state), ex);
			case MigrationTurn.LOCK_NOT_AVAILABLE -> new QueueSchemaException(Reason.FAILED,
					upgrading(versions) + " failed and changed nothing: for a minute, another session held"
							+ " a lock on an object to be changed (" + message(ex) + ").",
					LOCKED, ex);
			default -> new QueueSchemaException(Reason.FAILED,
					upgrading(versions) + " failed and changed nothing: " + message(ex) + ".",
					"If an object that does not belong to the queue is the cause, give the queue a separate schema; otherwise"
							+ " remove the cause and start again.",
					ex);
		};
	}

	/** The advisory lock was not released in time. */
	QueueSchemaException lockIsHeld(String holder, Duration timeout) {
		return new QueueSchemaException(Reason.FAILED,
				"The schema '" + this.schema + "' cannot be created or upgraded: " + holder
						+ " has held its advisory lock for " + timeout.toSeconds() + " s.",
				"If that is another process that upgrades the schema, start again when it has finished; else end that"
						+ " session (pg_terminate_backend) and start again.");
	}

	/** The reason for which the state of the schema could not be read. */
	QueueSchemaException unreadable(SQLException ex) {
		if (MigrationTurn.LOCK_NOT_AVAILABLE.equals(ex.getSQLState())) {
			return new QueueSchemaException(Reason.FAILED,
					"The schema '" + this.schema + "' cannot be read: for a minute, another session held a lock on its"
							+ " tables (" + message(ex) + ").",
					LOCKED, ex);
		}
		return new QueueSchemaException(Reason.FAILED,
				"The schema '" + this.schema + "' cannot be read: " + message(ex) + ".",
				"Check that the schema belongs to the queue alone, and the state of the server.", ex);
	}

	private QueueSchemaException missingPrivilege(String problem, String grant, @Nullable String script) {
		String instead = (script != null) ? "\nOr let the owner of the database run the output of: " + script : "";
		return new QueueSchemaException(Reason.MISSING_PRIVILEGE, problem,
				"Let the owner of the database run: " + grant + ";" + instead);
	}

	private String upgrading(SchemaVersions versions) {
		return "Upgrading the schema '" + this.schema + "' (" + versions.describe(versions.older()) + ")";
	}

	/** Without parts that are not on the class path, which the script would not know. */
	private String script(SchemaVersions versions, SchemaState state) {
		String jars = SchemaPart.all()
			.stream()
			.map((part) -> "rowqueue-" + part + ".jar")
			.collect(Collectors.joining(":"));
		String from = SchemaPart.all()
			.stream()
			.filter((part) -> versions.of(part) != 0)
			.map((part) -> part + ":" + versions.of(part))
			.collect(Collectors.joining(","));
		return "java -cp rowqueue-migration.jar:" + jars + " io.rowqueue.migration.PrintSchema "
				+ argument("--schema=" + this.schema) + (from.isEmpty() ? "" : " --from=" + from) + " "
				+ argument("--grant-to=" + state.role());
	}

	private static String argument(String argument) {
		return argument.matches("[\\w=.-]+") ? argument : "'" + argument.replace("'", "'\\''") + "'";
	}

	private String forEach(List<String> tables, String statement) {
		return tables.stream()
			.map((table) -> statement.replace("%s", this.schema.quoted() + "." + table))
			.collect(Collectors.joining(" "));
	}

	private static String role(SchemaState state) {
		return SchemaName.quoted(state.role());
	}

	private static String message(Exception ex) {
		SQLException answer = sqlException(ex);
		String message = String.valueOf((answer != null) ? answer.getMessage() : ex.getMessage()).strip();
		Throwable cause = (answer != null) ? answer.getCause() : null;
		return message.replaceAll("\\.$", "") + ((cause != null) ? " (" + ErrorText.summaryOfRoot(cause) + ")" : "");
	}

	private static @Nullable SQLException sqlException(Throwable ex) {
		for (Throwable cause = ex; cause != null; cause = cause.getCause()) {
			if (cause instanceof SQLException answer) {
				return answer;
			}
		}
		return null;
	}

}

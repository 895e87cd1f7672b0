package io.rowqueue.schema;

import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;

/**
 * The migrations as a script for the owner of the database: one transaction of plain SQL,
 * which psql and JDBC can execute.
 *
 * @param schema the schema of the tables
 * @param fromVersion the installed version, or 0 for none
 * @param grantTo the role of the application, or {@code null} for no grants
 */
record SchemaScript(SchemaName schema, int fromVersion, @Nullable String grantTo) {

	SchemaScript {
		if (fromVersion < 0 || fromVersion > Migration.newestVersion()) {
			throw new IllegalArgumentException("there is no version " + fromVersion
					+ " of the queue's schema: it must be from 0 to " + Migration.newestVersion());
		}
		if ("public".equals(grantTo)) {
			throw new IllegalArgumentException(
					"--grant-to=public would let every role read and change all jobs: name the"
							+ " role of the application");
		}
	}

	String sql() {
		StringBuilder sql = new StringBuilder(8192);
		sql.append("-- Rowqueue: schema ").append(onOneLine(this.schema.value()));
		sql.append(", from version ").append(this.fromVersion).append(" to ").append(Migration.newestVersion());
		sql.append("\n\nbegin;\n\n");
		sql.append((this.fromVersion == 0) ? createSchema() : checkVersion());
		sql.append("set local search_path to ").append(this.schema.quoted()).append(";\n");
		for (Migration migration : Migration.after(this.fromVersion)) {
			sql.append("\n-- ").append(migration.file()).append("\n\n").append(migration.sql().strip()).append('\n');
		}
		if (this.grantTo != null) {
			sql.append('\n').append(grants(this.grantTo));
		}
		return sql.append("\ncommit;\n").toString();
	}

	private String createSchema() {
		return "create schema if not exists " + this.schema.quoted() + ";\n";
	}

	private String checkVersion() {
		return """
				do %3$s
				begin
					if (select max(version) from %1$s.schema_version) is distinct from %2$s then
						raise exception 'the schema is not at version %2$s';
					end if;
				end %3$s;
				""".formatted(this.schema.quoted(), this.fromVersion, this.schema.dollarQuote());
	}

	/** Also applies to partitions and tables that the owner adds later. */
	private String grants(String role) {
		return """
				-- what the application's role needs
				grant usage on schema {schema} to {role};
				grant select, insert, update, delete on all tables in schema {schema} to {role};
				grant usage, select on all sequences in schema {schema} to {role};
				grant execute on all functions in schema {schema} to {role};
				alter default privileges in schema {schema} grant select, insert, update, delete on tables to {role};
				alter default privileges in schema {schema} grant usage, select on sequences to {role};
				alter default privileges in schema {schema} grant execute on functions to {role};

				-- and what it reads only: the views, the installed version, the name of the channel
				revoke insert, update, delete on {schema}.schema_version, {schema}.notification_channel,
					{views} from {role};
				""".replace("{views}",
				Migration.names("view").stream().map((view) -> "{schema}." + view).collect(Collectors.joining(", ")))
			.replace("{role}", SchemaName.quoted(role))
			.replace("{schema}", this.schema.quoted());
	}

	private static String onOneLine(String text) {
		return text.replaceAll("\\R", " ");
	}

}

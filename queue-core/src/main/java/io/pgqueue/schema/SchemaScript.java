package io.pgqueue.schema;

import org.jspecify.annotations.Nullable;

/**
 * The migrations as one script for the owner of the database: one transaction, plain SQL
 * that psql and JDBC run alike.
 *
 * @param schema where the tables go
 * @param fromVersion the version that is installed, 0 for none
 * @param grantTo the role of the application, null for no grants
 */
record SchemaScript(SchemaName schema, int fromVersion, @Nullable String grantTo) {

	SchemaScript {
		if (fromVersion < 0 || fromVersion > Migration.newestVersion()) {
			throw new IllegalArgumentException("there is no version " + fromVersion
					+ " of the queue's schema: it must be from 0 to " + Migration.newestVersion());
		}
	}

	String sql() {
		StringBuilder sql = new StringBuilder(8192);
		sql.append("-- pgqueue: schema ").append(onOneLine(this.schema.value()));
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
				do $pgqueue$
				begin
					if (select max(version) from %s.schema_version) is distinct from %d then
						raise exception 'the schema is not at version %2$d';
					end if;
				end $pgqueue$;
				""".formatted(this.schema.quoted(), this.fromVersion);
	}

	private String grants(String role) {
		return """
				-- what the application's role needs, also for tables that its owner adds later
				grant usage on schema {schema} to {role};
				grant select, insert, update, delete on all tables in schema {schema} to {role};
				grant usage, select on all sequences in schema {schema} to {role};
				grant execute on all functions in schema {schema} to {role};
				alter default privileges in schema {schema} grant select, insert, update, delete on tables to {role};
				alter default privileges in schema {schema} grant usage, select on sequences to {role};
				""".replace("{role}", SchemaName.quoted(role)).replace("{schema}", this.schema.quoted());
	}

	private static String onOneLine(String text) {
		return text.replaceAll("\\R", " ");
	}

}

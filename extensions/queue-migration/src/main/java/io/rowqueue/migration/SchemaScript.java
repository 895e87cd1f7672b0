package io.rowqueue.migration;

import java.util.stream.Collectors;

import io.rowqueue.schema.Migrations;
import io.rowqueue.schema.Migrations.Migration;
import io.rowqueue.schema.SchemaName;
import io.rowqueue.schema.SchemaPart;
import org.jspecify.annotations.Nullable;

/**
 * The migrations as a script for the owner of the database: one transaction of plain SQL,
 * which psql and JDBC can execute.
 *
 * @param schema the schema of the tables
 * @param from the installed versions
 * @param grantTo the role of the application, or {@code null} for no grants
 */
record SchemaScript(SchemaName schema, SchemaVersions from, @Nullable String grantTo) {

	SchemaScript {
		for (String part : from.installed().keySet()) {
			if (SchemaPart.all().stream().noneMatch((known) -> known.name().equals(part))) {
				throw new IllegalArgumentException("the class path has no part '" + part
						+ "' of the queue's schema, but " + SchemaPart.all() + ": add its jar, or leave it out");
			}
		}
		if (!from.newer().isEmpty()) {
			throw new IllegalArgumentException(
					"the queue's schema has no such version: " + from.describe(from.newer()));
		}
		if (!from.hasCore() && !from.installed().isEmpty()) {
			throw new IllegalArgumentException("no part can be installed without the core: name its version as well");
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
		sql.append(", from ").append(this.from.installed().isEmpty() ? "nothing" : this.from);
		sql.append(" to ").append(SchemaVersions.newest());
		sql.append("\n\nbegin;\n\n");
		sql.append(this.from.hasCore() ? checkVersions() : createSchema());
		sql.append("set local search_path to ").append(this.schema.quoted()).append(";\n");
		for (SchemaPart part : SchemaPart.all()) {
			Migrations migrations = part.migrations();
			for (Migration migration : migrations.after(this.from.of(part))) {
				sql.append("\n-- ").append(part).append(": ").append(migration.file());
				sql.append("\n\n").append(migrations.sql(migration).strip()).append('\n');
			}
		}
		if (this.grantTo != null) {
			sql.append('\n').append(grants(this.grantTo));
		}
		return sql.append("\ncommit;\n").toString();
	}

	private String createSchema() {
		return "create schema if not exists " + this.schema.quoted() + ";\n";
	}

	private String checkVersions() {
		StringBuilder sql = new StringBuilder();
		String quote = this.schema.dollarQuote();
		sql.append("do ").append(quote).append("\nbegin\n");
		for (SchemaPart part : SchemaPart.all()) {
			sql.append("""
						if (select coalesce(max(version), 0) from %1$s.schema_version where part = '%2$s') <> %3$s then
							raise exception 'the part %2$s of the schema is not at version %3$s';
						end if;
					""".formatted(this.schema.quoted(), part, this.from.of(part)));
		}
		return sql.append("end ").append(quote).append(";\n").toString();
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

				-- and what it reads only: the views, the installed versions, the name of the channel, the list of tables
				revoke insert, update, delete on {schema}.schema_version, {schema}.notification_channel, {schema}.job_table,
					{views} from {role};
				"""
			.replace("{views}",
					SchemaPart.names("view")
						.stream()
						.map((view) -> "{schema}." + view)
						.collect(Collectors.joining(", ")))
			.replace("{role}", SchemaName.quoted(role))
			.replace("{schema}", this.schema.quoted());
	}

	private static String onOneLine(String text) {
		return text.replaceAll("\\R", " ");
	}

}

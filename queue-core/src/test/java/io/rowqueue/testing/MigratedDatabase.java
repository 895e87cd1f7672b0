package io.rowqueue.testing;

import java.util.stream.Collectors;

import javax.sql.DataSource;

import io.rowqueue.postgres.Database;
import io.rowqueue.postgres.DevPostgres;
import io.rowqueue.schema.SchemaName;
import io.rowqueue.schema.SchemaPart;
import org.springframework.jdbc.core.JdbcTemplate;

/** Creates databases with the queue's tables as copies of one that is migrated once. */
public final class MigratedDatabase {

	private MigratedDatabase() {
	}

	public static Database create(String prefix) {
		return DevPostgres.shared().createDatabase(prefix, SchemaPart.class, MigratedDatabase::migrate);
	}

	public static void migrate(DataSource dataSource) {
		migrate(dataSource, SchemaName.DEFAULT);
	}

	/** Runs the migrations of the core and of all parts on the class path. */
	static void migrate(DataSource dataSource, SchemaName schema) {
		String migrations = SchemaPart.all()
			.stream()
			.map(SchemaPart::migrations)
			.flatMap((part) -> part.all().stream().map(part::sql))
			.collect(Collectors.joining("\n"));
		new JdbcTemplate(dataSource).execute("begin; create schema %s; set local search_path to %s;\n%s\ncommit"
			.formatted(schema.quoted(), schema.quoted(), migrations));
	}

}

package io.rowqueue.cli;

import javax.sql.DataSource;

import io.rowqueue.postgres.Database;
import io.rowqueue.postgres.DevPostgres;
import io.rowqueue.postgres.KeptSessions;
import io.rowqueue.migration.QueueSchema;
import io.rowqueue.schema.SchemaPart;
import org.springframework.jdbc.datasource.SimpleDriverDataSource;

/** Databases with the tables of a queue, of a test's own. */
final class TestQueue {

	private TestQueue() {
	}

	static Database create() {
		return DevPostgres.shared()
			.createDatabase("cli", SchemaPart.class, (dataSource) -> new QueueSchema(dataSource).initialize());
	}

	/** Leads to a database without a new session for each statement. */
	static DataSource dataSource(Database database) {
		return new SimpleDriverDataSource(new KeptSessions(), database.url(), database.username(), database.password());
	}

}

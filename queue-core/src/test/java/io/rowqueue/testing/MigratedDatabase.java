package io.rowqueue.testing;

import javax.sql.DataSource;

import io.rowqueue.postgres.Database;
import io.rowqueue.postgres.DevPostgres;
import io.rowqueue.schema.QueueSchema;

/** Creates databases with the queue's tables as copies of one that is migrated once. */
public final class MigratedDatabase {

	private MigratedDatabase() {
	}

	public static Database create(String prefix) {
		return DevPostgres.shared().createDatabase(prefix, QueueSchema.class, MigratedDatabase::migrate);
	}

	static void migrate(DataSource dataSource) {
		new QueueSchema(dataSource).initialize();
	}

}

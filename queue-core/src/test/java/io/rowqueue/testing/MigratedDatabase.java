package io.rowqueue.testing;

import io.rowqueue.postgres.Database;
import io.rowqueue.postgres.DevPostgres;
import io.rowqueue.schema.QueueSchema;
import org.postgresql.ds.PGSimpleDataSource;

/** Creates databases with the queue's tables as copies of one that is migrated once. */
public final class MigratedDatabase {

	private MigratedDatabase() {
	}

	public static Database create(String prefix) {
		return DevPostgres.shared().createDatabase(prefix, QueueSchema.class, MigratedDatabase::migrate);
	}

	static void migrate(Database database) {
		PGSimpleDataSource dataSource = new PGSimpleDataSource();
		dataSource.setUrl(database.url());
		dataSource.setUser(database.username());
		dataSource.setPassword(database.password());
		new QueueSchema(dataSource).initialize();
	}

}

package io.rowqueue.test.shop;

import io.rowqueue.postgres.Database;
import io.rowqueue.postgres.DevPostgres;
import org.springframework.boot.jdbc.autoconfigure.JdbcConnectionDetails;

/** Leads to a database that no property names. */
class DevPostgresDetails implements JdbcConnectionDetails {

	private final Database database = DevPostgres.shared().createDatabase("shop");

	@Override
	public String getUsername() {
		return this.database.username();
	}

	@Override
	public String getPassword() {
		return this.database.password();
	}

	@Override
	public String getJdbcUrl() {
		return this.database.url();
	}

}

package io.pgqueue.autoconfigure;

import javax.sql.DataSource;

import io.pgqueue.postgres.Database;
import io.pgqueue.postgres.DevPostgres;
import org.postgresql.ds.PGSimpleDataSource;

import org.springframework.jdbc.core.simple.JdbcClient;

/** An empty database of a test's own. */
final class TestDatabase {

	private final Database database = DevPostgres.shared().createDatabase("autoconfigure");

	/** The properties that lead an application to it. */
	String[] properties() {
		return new String[] { "spring.datasource.url=" + this.database.url(),
				"spring.datasource.username=" + this.database.username(),
				"spring.datasource.password=" + this.database.password(),
				"spring.datasource.hikari.maximum-pool-size=4", "spring.datasource.hikari.connection-timeout=2000" };
	}

	DataSource dataSource() {
		PGSimpleDataSource dataSource = new PGSimpleDataSource();
		dataSource.setUrl(this.database.url());
		dataSource.setUser(this.database.username());
		dataSource.setPassword(this.database.password());
		return dataSource;
	}

	/** Whether there is a table or partition of that name, such as queue.job. */
	boolean hasTable(String name) {
		return JdbcClient.create(dataSource())
			.sql("select to_regclass(?) is not null")
			.param(name)
			.query(Boolean.class)
			.single();
	}

}

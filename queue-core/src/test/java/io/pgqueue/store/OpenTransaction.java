package io.pgqueue.store;

import java.sql.Connection;
import java.sql.SQLException;

import io.pgqueue.schema.SchemaName;
import io.pgqueue.testing.Stores;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.SingleConnectionDataSource;

/** A transaction that ends when the test says so. */
final class OpenTransaction implements AutoCloseable {

	private final Connection connection;

	private final SchemaName schema;

	private final JdbcTemplate jdbc;

	private final QueueDatabase database;

	OpenTransaction(Connection connection, SchemaName schema) throws SQLException {
		connection.setAutoCommit(false);
		this.connection = connection;
		this.schema = schema;
		this.jdbc = new JdbcTemplate(new SingleConnectionDataSource(connection, true));
		this.database = new QueueDatabase(this.jdbc, schema);
	}

	Stores jobs() {
		return new Stores(this.jdbc, this.jdbc, this.schema, true);
	}

	WorkerStore workers() {
		return new WorkerStore(this.database);
	}

	MaintenanceStore maintenance() {
		return new MaintenanceStore(this.database);
	}

	ScheduleStore schedules() {
		return new ScheduleStore(this.database);
	}

	WindowStore windows() {
		return new WindowStore(this.database);
	}

	void execute(String sql) {
		this.jdbc.execute(Sql.in(this.schema, sql));
	}

	@Nullable String show(String setting) {
		return this.jdbc.queryForObject("show " + setting, String.class);
	}

	void commit() throws SQLException {
		this.connection.commit();
	}

	void rollback() throws SQLException {
		this.connection.rollback();
	}

	@Override
	public void close() throws SQLException {
		this.connection.rollback();
		this.connection.close();
	}

}

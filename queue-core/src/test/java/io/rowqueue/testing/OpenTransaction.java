package io.rowqueue.testing;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.Objects;

import io.rowqueue.engine.database.QueueDatabase;
import io.rowqueue.engine.database.Sql;
import io.rowqueue.engine.maintenance.MaintenanceStore;
import io.rowqueue.engine.worker.WorkerStore;
import io.rowqueue.schema.SchemaName;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.SingleConnectionDataSource;

/** A transaction that ends when the test says so. */
public final class OpenTransaction implements AutoCloseable {

	/** Counts the statements of a form that wait for other transactions. */
	static final String BLOCKED_STATEMENTS = "select count(*) from pg_stat_activity where datname = current_database()"
			+ " and wait_event_type = 'Lock' and query like ?";

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

	public Stores jobs() {
		return new Stores(this.jdbc, this.jdbc, this.schema, true);
	}

	WorkerStore workers() {
		return new WorkerStore(this.database);
	}

	public MaintenanceStore maintenance() {
		return new MaintenanceStore(this.database);
	}

	public QueueDatabase database() {
		return this.database;
	}

	public void execute(String sql) {
		this.jdbc.execute(Sql.in(this.schema, sql));
	}

	public @Nullable String show(String setting) {
		return this.jdbc.queryForObject("show " + setting, String.class);
	}

	/** Returns the only value of a query. */
	public String select(String sql) {
		return Objects.requireNonNull(this.jdbc.queryForObject(Sql.in(this.schema, sql), String.class));
	}

	public void commit() throws SQLException {
		this.connection.commit();
	}

	public void rollback() throws SQLException {
		this.connection.rollback();
	}

	@Override
	public void close() throws SQLException {
		if (!this.connection.isClosed()) {
			try (Connection open = this.connection) {
				open.rollback();
			}
		}
	}

}

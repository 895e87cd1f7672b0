package io.rowqueue.engine.database;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

import javax.sql.DataSource;

import io.rowqueue.schema.SchemaName;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.JdbcOperations;
import org.springframework.jdbc.core.PreparedStatementSetter;
import org.springframework.jdbc.core.RowCallbackHandler;
import org.springframework.jdbc.core.RowMapper;

/**
 * The database with the queue's tables, as used by one kind of caller: an application,
 * whose statements take part in its transactions, or a worker, whose statements run in
 * separate transactions. Statements refer to the schema as {@code {schema}}; each text is
 * prepared for the schema once. All methods throw
 * {@link org.springframework.dao.DataAccessException} if the database rejects a statement
 * or is not available.
 */
public final class QueueDatabase {

	private static final String NOW = "select clock_timestamp() as now";

	private final JdbcOperations jdbc;

	private final SchemaName schema;

	/** Returns connections of a shard while a transactional handler runs there. */
	private final @Nullable DataSource shared;

	private final Map<String, String> statements = new ConcurrentHashMap<>();

	/**
	 * Creates the database.
	 * @param jdbc runs the statements
	 * @param schema the schema of the tables
	 */
	public QueueDatabase(JdbcOperations jdbc, SchemaName schema) {
		this(jdbc, schema, null);
	}

	/**
	 * Creates the database of a home shard, as an application uses it. While a
	 * transactional handler runs in another shard, its statements are executed outside of
	 * that transaction, in its own database.
	 * @param jdbc runs the statements
	 * @param schema the schema of the tables
	 * @param shared the data source of the statements, which may return the connection of
	 * another shard; {@code null}: it does not
	 */
	public QueueDatabase(JdbcOperations jdbc, SchemaName schema, @Nullable DataSource shared) {
		this.jdbc = jdbc;
		this.schema = schema;
		this.shared = (shared != null) ? JobTransactions.withoutProxy(shared) : null;
	}

	/** Returns the template that runs the statements. */
	public JdbcOperations jdbc() {
		return this.jdbc;
	}

	/** Returns the schema of the tables. */
	public SchemaName schema() {
		return this.schema;
	}

	/** Returns the current time of the database's clock. */
	public Instant now() {
		return query(NOW, (row, index) -> Sql.time(row, "now")).get(0);
	}

	/**
	 * Replaces the placeholder of the schema in a statement. Callers must pass constants,
	 * since every text is cached.
	 */
	public String sql(String statement) {
		String sql = this.statements.get(statement);
		return (sql != null) ? sql : this.statements.computeIfAbsent(statement, (text) -> Sql.in(this.schema, text));
	}

	public <T> List<T> query(String statement, RowMapper<T> row, @Nullable Object... arguments) {
		return own(() -> this.jdbc.query(sql(statement), row, arguments));
	}

	public <T> List<T> query(String statement, PreparedStatementSetter parameters, RowMapper<T> row) {
		return own(() -> this.jdbc.query(sql(statement), parameters, row));
	}

	public void query(String statement, PreparedStatementSetter parameters, RowCallbackHandler row) {
		own(() -> {
			this.jdbc.query(sql(statement), parameters, row);
			return true;
		});
	}

	public void forEach(String statement, RowCallbackHandler row, @Nullable Object... arguments) {
		own(() -> {
			this.jdbc.query(sql(statement), row, arguments);
			return true;
		});
	}

	/** Returns the first row, if there is one. */
	public <T> Optional<T> first(String statement, RowMapper<T> row, @Nullable Object... arguments) {
		return query(statement, row, arguments).stream().findFirst();
	}

	/** Returns the number of changed rows. */
	public int update(String statement, @Nullable Object... arguments) {
		return own(() -> this.jdbc.update(sql(statement), arguments));
	}

	/** Returns the number of changed rows. */
	public int update(String statement, PreparedStatementSetter parameters) {
		return own(() -> this.jdbc.update(sql(statement), parameters));
	}

	private <T> T own(Supplier<T> work) {
		return (this.shared != null) ? SharedConnection.outside(this.shared, work::get) : work.get();
	}

}

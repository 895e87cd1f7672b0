package io.rowqueue.autoconfigure.connection;

import java.time.Duration;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.Supplier;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.rowqueue.engine.database.QueueDatabase;
import io.rowqueue.schema.SchemaName;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * A small pool for reads. It opens its first connection on first use, keeps no idle
 * connections, and runs each read in a read-only transaction.
 *
 * @since 0.1.0
 */
public final class ReadPool implements AutoCloseable {

	private static final Duration IDLE = Duration.ofSeconds(30);

	private static final Duration WAIT = Duration.ofSeconds(5);

	/**
	 * Settings of the transaction, not of the session: behind a pooler, sessions are
	 * shared.
	 */
	private static final String SETTINGS = """
			select set_config('transaction_read_only', 'on', true), set_config('statement_timeout', ?, true),
				set_config('search_path', 'pg_catalog, pg_temp', true), set_config('enable_seqscan', 'off', true),
				set_config('jit', 'off', true), set_config('max_parallel_workers_per_gather', '0', true)""";

	private final HikariDataSource pool = new HikariDataSource();

	private final TransactionTemplate transaction;

	private final QueueDatabase database;

	private final String timeout;

	ReadPool(SchemaName schema, String name, int connections, Duration timeout, Consumer<HikariConfig> address) {
		this.timeout = timeout.toMillis() + "ms";
		address.accept(this.pool);
		this.pool.setPoolName(name);
		this.pool.setMaximumPoolSize(connections);
		this.pool.setMinimumIdle(0);
		this.pool.setIdleTimeout(IDLE.toMillis());
		this.pool.setConnectionTimeout(WAIT.toMillis());
		this.pool.setInitializationFailTimeout(-1);
		this.transaction = new TransactionTemplate(new JdbcTransactionManager(this.pool));
		this.database = new QueueDatabase(new JdbcTemplate(this.pool), schema);
	}

	/** Returns the database, whose statements take part in {@link #read}. */
	public QueueDatabase database() {
		return this.database;
	}

	/**
	 * Reads in one transaction.
	 * @param reading runs statements of {@link #database()}
	 * @return what it returns
	 */
	public <T> T read(Supplier<T> reading) {
		return Objects.requireNonNull(this.transaction.execute((status) -> {
			this.database.query(SETTINGS, (row, index) -> "", this.timeout);
			return reading.get();
		}));
	}

	@Override
	public void close() {
		this.pool.close();
	}

}

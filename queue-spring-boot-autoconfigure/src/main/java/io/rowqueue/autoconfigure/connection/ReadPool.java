package io.rowqueue.autoconfigure.connection;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.time.Duration;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.Supplier;

import javax.sql.DataSource;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import com.zaxxer.hikari.HikariPoolMXBean;
import io.rowqueue.engine.database.QueueDatabase;
import io.rowqueue.schema.SchemaName;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DelegatingDataSource;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * A small pool for reads. It opens its first connection on first use, keeps no idle
 * connections, and runs each read in a read-only transaction. Few threads wait for a
 * connection: further reads fail at once, since the threads are those that answer the
 * requests of the application.
 *
 * @since 0.1.0
 */
public final class ReadPool implements AutoCloseable {

	private static final Duration IDLE = Duration.ofSeconds(30);

	private static final Duration WAIT = Duration.ofSeconds(5);

	/** How many threads wait at most, for each connection. */
	private static final int WAITING = 3;

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
		DataSource bounded = new BoundedWait(this.pool, WAITING * connections);
		this.transaction = new TransactionTemplate(new JdbcTransactionManager(bounded));
		this.database = new QueueDatabase(new JdbcTemplate(bounded), schema);
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

	/** Refuses a connection if too many threads wait for one already. */
	private static final class BoundedWait extends DelegatingDataSource {

		private final HikariDataSource pool;

		private final int max;

		private BoundedWait(HikariDataSource pool, int max) {
			super(pool);
			this.pool = pool;
			this.max = max;
		}

		@Override
		public Connection getConnection() throws SQLException {
			HikariPoolMXBean opened = this.pool.getHikariPoolMXBean();
			if (opened != null && opened.getThreadsAwaitingConnection() >= this.max) {
				throw new SQLTransientConnectionException(
						this.pool.getPoolName() + ": " + this.max + " threads wait for a connection already");
			}
			return super.getConnection();
		}

	}

}

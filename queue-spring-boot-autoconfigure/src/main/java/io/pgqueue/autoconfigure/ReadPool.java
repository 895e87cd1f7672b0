package io.pgqueue.autoconfigure;

import java.time.Duration;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.Supplier;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.pgqueue.engine.database.QueueDatabase;
import io.pgqueue.schema.SchemaName;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * A small pool for reads. It opens its first connection when it is used, keeps none that
 * is idle, and each read is a transaction that cannot write.
 *
 * @since 0.1.0
 */
public final class ReadPool implements AutoCloseable {

	private static final Duration IDLE = Duration.ofSeconds(30);

	private static final Duration WAIT = Duration.ofSeconds(5);

	private final HikariDataSource pool = new HikariDataSource();

	private final TransactionTemplate transaction;

	private final QueueDatabase database;

	ReadPool(SchemaName schema, String name, int connections, Consumer<HikariConfig> address) {
		address.accept(this.pool);
		this.pool.setPoolName(name);
		this.pool.setMaximumPoolSize(connections);
		this.pool.setMinimumIdle(0);
		this.pool.setIdleTimeout(IDLE.toMillis());
		this.pool.setConnectionTimeout(WAIT.toMillis());
		this.pool.setInitializationFailTimeout(-1);
		JdbcTransactionManager manager = new JdbcTransactionManager(this.pool);
		manager.setEnforceReadOnly(true);
		this.transaction = new TransactionTemplate(manager);
		this.transaction.setReadOnly(true);
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
		return Objects.requireNonNull(this.transaction.execute((status) -> reading.get()));
	}

	@Override
	public void close() {
		this.pool.close();
	}

}

package io.rowqueue.autoconfigure.connection;

import com.zaxxer.hikari.HikariConfig;

/**
 * Customizes the connection pool of the queue's workers. Beans of this type are called in
 * their order when the pool is created, after the properties of
 * {@code rowqueue.connection} were applied.
 *
 * <pre>
 * &#064;Bean
 * QueueDataSourceCustomizer validatedConnections() {
 * 	return (pool) -&gt; pool.setValidationTimeout(2_000);
 * }
 * </pre>
 *
 * The connections lead to the database of the application's {@code DataSource}. To choose
 * another database, use {@link QueueDataSource} instead.
 *
 * @since 0.1.0
 */
@FunctionalInterface
public interface QueueDataSourceCustomizer {

	/**
	 * Customizes the pool. Auto-commit, the timeout of the initialization and the leak
	 * detection cannot be changed: workers rely on the first, wait for a database that is
	 * not available yet, and keep a connection for as long as they run.
	 * @param pool the configuration of the pool, which has not been started
	 */
	void customize(HikariConfig pool);

}

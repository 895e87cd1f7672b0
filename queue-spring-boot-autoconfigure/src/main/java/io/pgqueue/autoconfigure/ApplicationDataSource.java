package io.pgqueue.autoconfigure;

import javax.sql.DataSource;

/**
 * The application's {@link DataSource} that the queue uses. The application enqueues jobs
 * over it, in its own transactions. A bean of the type {@code DataSource} would switch
 * off Boot's.
 *
 * @param dataSource the data source
 */
public record ApplicationDataSource(DataSource dataSource) {

}

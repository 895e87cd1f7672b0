package io.rowqueue.engine.database;

import javax.sql.DataSource;

/**
 * The application's {@link DataSource} that the queue uses. The application enqueues jobs
 * over it, in its own transactions. A bean of the type {@code DataSource} would switch
 * off Boot's.
 *
 * @param dataSource the data source
 * @param enabled whether the queue uses it; if not, the data source rejects each use and
 * states the reason, and nothing of the queue starts
 */
public record ApplicationDataSource(DataSource dataSource, boolean enabled) {

}

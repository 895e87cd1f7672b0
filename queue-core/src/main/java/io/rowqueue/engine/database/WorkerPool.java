package io.rowqueue.engine.database;

import javax.sql.DataSource;

/** The connections of the workers of this process, apart from the application's. */
public interface WorkerPool {

	/** Returns the pool, or what rejects each use if the queue is off. */
	DataSource dataSource();

	/** Closes all open connections after their use: the server may have been demoted. */
	void renew();

}

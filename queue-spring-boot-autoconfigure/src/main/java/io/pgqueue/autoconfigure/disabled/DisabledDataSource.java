package io.pgqueue.autoconfigure.disabled;

import java.sql.Connection;

import org.springframework.jdbc.datasource.AbstractDataSource;

/** Opens no connection: each use of the queue's tables fails with the reason. */
public final class DisabledDataSource extends AbstractDataSource {

	@Override
	public Connection getConnection() {
		throw new QueueDisabledException();
	}

	@Override
	public Connection getConnection(String username, String password) {
		throw new QueueDisabledException();
	}

}

package io.rowqueue.engine.database;

import java.sql.Connection;

import io.rowqueue.schema.SchemaName;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.AbstractDataSource;

/** Opens no connection: each use of the queue's tables fails with the reason. */
public final class DisabledDataSource extends AbstractDataSource {

	/** The database of a queue that properties have switched off. */
	public static final QueueDatabase DATABASE = new QueueDatabase(new JdbcTemplate(new DisabledDataSource()),
			SchemaName.DEFAULT);

	private final String reason;

	/**
	 * Creates the data source of a queue that properties have switched off.
	 */
	public DisabledDataSource() {
		this(QueueDisabledException.BY_PROPERTY);
	}

	/**
	 * Creates a data source that rejects each use.
	 * @param reason why, and what to do about it
	 */
	public DisabledDataSource(String reason) {
		this.reason = reason;
	}

	@Override
	public Connection getConnection() {
		throw refusal();
	}

	@Override
	public Connection getConnection(String username, String password) {
		return getConnection();
	}

	/** Returns what each use of the queue throws. */
	public QueueDisabledException refusal() {
		return new QueueDisabledException(this.reason);
	}

}

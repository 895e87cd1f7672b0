package io.rowqueue.engine.maintenance;

import java.util.List;

import io.rowqueue.engine.database.QueueDatabase;
import io.rowqueue.engine.database.WhenDue;

/** Cancels jobs that have expired before they began. */
final class ExpireStatement {

	/** When the next job expires. */
	static final WhenDue DUE = new WhenDue(
			"(select expires_at from {schema}.job_expiry order by expires_at, job_id limit 1)");

	private static final String EXPIRE = "select id, queue, type from {schema}.expire(?)";

	private final QueueDatabase database;

	ExpireStatement(QueueDatabase database) {
		this.database = database;
	}

	/** Cancels jobs up to a maximum, and returns them. */
	List<ExpiredJob> execute(int limit) {
		return this.database.query(EXPIRE,
				(row, index) -> new ExpiredJob(row.getLong("id"), row.getString("queue"), row.getString("type")),
				limit);
	}

	record ExpiredJob(long id, String queue, String type) {

	}

}

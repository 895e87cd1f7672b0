package io.rowqueue.engine.measure;

import java.time.Duration;
import java.time.Instant;
import java.util.List;

import io.rowqueue.engine.database.QueueDatabase;
import io.rowqueue.engine.database.Sql;

/** Finds batches that somebody has forgotten to close. */
final class OpenBatchStore {

	private static final String FORGOTTEN = """
			select id, name, created_at from {schema}.batch b
			where finished_at is null and created_at < clock_timestamp() - ? * interval '1 microsecond' and closed_at is null
				and total = succeeded + failed + cancelled and not exists (
					select from {schema}.batch_delta d where d.batch_id = b.id)
			order by created_at limit ?""";

	private final QueueDatabase database;

	OpenBatchStore(QueueDatabase database) {
		this.database = database;
	}

	/**
	 * Batches that were enqueued longer ago than that and are still open although all
	 * their jobs have ended, the oldest first.
	 */
	List<OpenBatch> forgotten(Duration age, int limit) {
		return this.database.query(FORGOTTEN,
				(row, index) -> new OpenBatch(row.getLong("id"), row.getString("name"), Sql.time(row, "created_at")),
				Sql.micros(age), limit);
	}

	/**
	 * A batch that was not closed.
	 *
	 * @param id its id
	 * @param name its name
	 * @param createdAt when it was enqueued
	 */
	record OpenBatch(long id, String name, Instant createdAt) {

	}

}

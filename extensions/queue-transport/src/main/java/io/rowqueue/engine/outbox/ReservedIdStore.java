package io.rowqueue.engine.outbox;

import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.TimeUnit;

import io.rowqueue.engine.database.QueueDatabase;

/**
 * Ids of jobs that are not stored in the database, which reserves a thousand of them with
 * one statement, and gives its time. Thread-safe.
 */
final class ReservedIdStore {

	private static final int COUNT = 1000;

	private static final String RESERVE = """
			select nextval('{schema}.job_id_seq') as id, (extract(epoch from clock_timestamp()) * 1000000)::bigint as micros
			from generate_series(1, ?)""";

	private final QueueDatabase database;

	private final Queue<Long> ids = new ArrayDeque<>();

	/** The database's time when the ids were reserved. */
	private long micros;

	/** The clock of this process at that time. */
	private long nanos;

	/**
	 * Creates it without any id.
	 * @param database the database as workers see it: the ids belong to no transaction
	 */
	ReservedIdStore(QueueDatabase database) {
		this.database = database;
	}

	synchronized ReservedId next() {
		Long id = this.ids.poll();
		if (id == null) {
			this.ids.addAll(this.database.query(RESERVE, (row, index) -> {
				this.micros = row.getLong("micros");
				return row.getLong("id");
			}, COUNT));
			this.nanos = System.nanoTime();
			id = this.ids.remove();
		}
		return new ReservedId(id, this.micros + TimeUnit.NANOSECONDS.toMicros(System.nanoTime() - this.nanos));
	}

	/**
	 * An id.
	 *
	 * @param micros the database's time, in microseconds since 1970
	 */
	record ReservedId(long id, long micros) {
	}

}

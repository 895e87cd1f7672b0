package io.rowqueue.engine.transport;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Set;

import io.rowqueue.engine.database.QueueDatabase;
import io.rowqueue.transport.JobMessage;

/** Reads which ids of jobs the queue has given until now. */
final class GivenIdStore {

	/** A sequence that was restarted has no last value. */
	private static final String READ = """
			select coalesce(pg_catalog.pg_sequence_last_value('{schema}.job_id_seq'::regclass), i.first_id - 1, 0) as last,
				coalesce(i.number, 0) as number, coalesce(i.first_id, 0) as first_id,
				coalesce(i.numbers, '{}') as shards
			from (values (true)) always left join {schema}.own_ids i on true""";

	private final QueueDatabase database;

	/**
	 * Creates the store.
	 * @param database the database as workers see it
	 */
	GivenIdStore(QueueDatabase database) {
		this.database = database;
	}

	Given read() {
		return this.database.query(READ, (row, index) -> given(row)).get(0);
	}

	private static Given given(ResultSet row) throws SQLException {
		return new Given(row.getLong("last"), row.getInt("number"), row.getLong("first_id"),
				Set.of((Short[]) row.getArray("shards").getArray()));
	}

	/**
	 * The ids that the queue has given until some time.
	 *
	 * @param last the greatest one of this database
	 * @param number the number of this database; 0 if it is the only one of its queue
	 * @param firstId the id from which on ids contain the number of their database
	 * @param shards the numbers of all databases
	 */
	record Given(long last, int number, long firstId, Set<Short> shards) {

		private static final int MAX_SHARDS = 1024;

		/**
		 * Whether the id of a job is none or can be one of them. How far another database
		 * has come is not known here.
		 */
		boolean contains(JobMessage job) {
			long id = job.id();
			int shard = (int) (id % MAX_SHARDS);
			boolean isOwn = this.number == 0 || id < this.firstId || shard == this.number;
			return isOwn ? id <= this.last : this.shards.contains((short) shard);
		}

	}

}

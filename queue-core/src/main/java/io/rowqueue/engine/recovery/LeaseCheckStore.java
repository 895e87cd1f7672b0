package io.rowqueue.engine.recovery;

import java.util.List;

import io.rowqueue.engine.database.QueueDatabase;

/**
 * Finds leases without a row of {@code claim}, and writes those rows: recovery,
 * cancellation and the views find leases by them alone. A claim commits both at once, so
 * that none is missing unless it was deleted, or one table was restored and not the
 * other. All methods throw {@link org.springframework.dao.DataAccessException} when the
 * database refuses or is away.
 */
public final class LeaseCheckStore {

	private static final String BLOCKS = """
			select pg_relation_size('{schema}.job') / current_setting('block_size')::bigint as blocks,
				extract(epoch from clock_timestamp())::bigint as now""";

	/**
	 * A range of blocks, since no index knows who holds a job. A job that ends meanwhile
	 * leaves a row of which nothing is held: such rows are deleted anyway.
	 */
	private static final String NOTE = """
			with unknown as materialized (
				select j.worker_id, array_agg(j.id order by j.id) as job_ids
				from {schema}.job j
				where j.ctid >= ('(' || ?::bigint || ',0)')::tid and j.ctid < ('(' || ?::bigint || ',0)')::tid
					and j.worker_id is not null and not exists (
						select from {schema}.claim c where c.worker_id = j.worker_id and j.id = any (c.job_ids))
				group by j.worker_id),
			noted as (
				insert into {schema}.claim (worker_id, job_ids) select worker_id, job_ids from unknown)
			select worker_id, job_ids from unknown order by worker_id""";

	private final QueueDatabase database;

	/**
	 * Creates the check.
	 * @param database runs each statement in a transaction of its own
	 */
	public LeaseCheckStore(QueueDatabase database) {
		this.database = database;
	}

	/** How big the table of jobs is, and what time it is there. */
	public JobTable table() {
		return this.database.query(BLOCKS, (row, index) -> new JobTable(row.getLong("blocks"), row.getLong("now")))
			.get(0);
	}

	/**
	 * Writes the rows that are missing.
	 * @param from the first block of the table of jobs to look at
	 * @param to the block behind the last one
	 * @return the leases that had no row
	 */
	public List<UnknownLeases> note(long from, long to) {
		return this.database.query(NOTE, (row, index) -> new UnknownLeases(row.getLong("worker_id"),
				List.of((Long[]) row.getArray("job_ids").getArray())), from, to);
	}

	/**
	 * The table of jobs.
	 *
	 * @param blocks its size
	 * @param now the seconds of the database's clock since 1970
	 */
	public record JobTable(long blocks, long now) {

	}

	/**
	 * Leases of a worker that recovery would not have found.
	 *
	 * @param workerId who holds them, or held them when it died
	 * @param jobIds the jobs
	 */
	public record UnknownLeases(long workerId, List<Long> jobIds) {

	}

}

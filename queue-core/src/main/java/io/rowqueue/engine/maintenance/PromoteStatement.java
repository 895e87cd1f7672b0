package io.rowqueue.engine.maintenance;

import java.util.List;

import io.rowqueue.engine.database.QueueDatabase;
import io.rowqueue.engine.maintenance.MaintenanceStore.PromotedJobs;

/**
 * Queues scheduled jobs that are due. It reads the index from a low-water mark on, which
 * it keeps with its task: before it lie the dead entries of all that were promoted since
 * the oldest open transaction of the server began. The mark stays a second behind the
 * clock, as those of lanes do; where nothing is promoted nothing dies, and it stays a
 * minute behind: what is committed later than that was due is found at once. A mark ahead
 * of the clock was written before the server's clock went back.
 * <p>
 * The time is that of the beginning of the statement, here and wherever an index is to
 * find the end: {@code clock_timestamp()} may change from row to row, so PostgreSQL would
 * compare it with all.
 */
final class PromoteStatement {

	private static final String PROMOTE = """
			with due as materialized (
				select ctid as tid, run_at from {schema}.job
				where indexed_state = 'scheduled' and run_at <= statement_timestamp() and limit_key is null
					and run_at >= coalesce((select mark from {schema}.maintenance_task
						where name = 'promote' and mark <= statement_timestamp() and not ?), '-infinity')
				order by run_at, id limit ? for no key update skip locked),
			promoted as (
				update {schema}.job set state = 'queued' where ctid = any (array(select tid from due))
				returning queue),
			marked as (
				update {schema}.maintenance_task
				set mark = (select least(statement_timestamp() - case when count(*) > 0 then interval '1 second' else interval '1 minute' end,
					case when count(*) = ? then max(run_at) end) from due)
				where name = 'promote' and (exists (select from due) or mark > statement_timestamp()
					or coalesce(mark, '-infinity') < statement_timestamp() - interval '2 minutes'))
			select queue, count(*) as jobs from promoted group by queue""";

	private final QueueDatabase database;

	PromoteStatement(QueueDatabase database) {
		this.database = database;
	}

	/** Promotes those that are due longest, at most {@code limit}. */
	List<PromotedJobs> execute(boolean all, int limit) {
		return this.database.query(PROMOTE,
				(row, index) -> new PromotedJobs(row.getString("queue"), row.getInt("jobs")), all, limit, limit);
	}

}

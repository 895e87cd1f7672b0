package io.rowqueue.engine.explain;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;

import io.rowqueue.admin.Estimate;
import io.rowqueue.engine.database.QueueDatabase;
import io.rowqueue.engine.worker.WorkerStore;

/**
 * Estimates when no job of a queue waits any more, if jobs go on to arrive and to end as
 * in the last ten minutes. It counts a limited number of jobs, and reads the figures of
 * the queue for what has arrived and ended.
 */
public final class DrainStatement {

	private static final int MINUTES = 10;

	/**
	 * The figures {@code t} of ten minutes. Processes write them within a few seconds
	 * after each minute: those of the minute that has begun are not complete.
	 */
	static final String LATELY = """
			t.seconds = 60
				and t.at >= date_trunc('minute', clock_timestamp() - interval '5 seconds', 'UTC') - interval '%s minutes'
				and t.at < date_trunc('minute', clock_timestamp() - interval '5 seconds', 'UTC')"""
		.formatted(MINUTES);

	private static final String READ = """
			select (select count(*) from (
					select from {schema}.job j where j.indexed_state = 'queued' and {unclaimed} and j.queue = asked.queue
					limit %s) bounded) as waiting,
				(select extract(epoch from max(p.open_from) - clock_timestamp()) from {schema}.pause p
					where p.kind = 'queue' and p.name = asked.queue and {closed}) as opens_in,
				exists (select from {schema}.pause p
					where p.kind = 'queue' and p.name = asked.queue and p.source = '') as paused,
				exists (select from {schema}.worker w where w.dead_at is null and not w.quiet
					and w.heartbeat_at > clock_timestamp() - interval '%s seconds'
					and w.queues && array[asked.queue, '*']) as worker,
				coalesce(figures.enqueued, 0) as arrived, coalesce(figures.ended, 0) as ended
			from (select ?::text as queue) asked
			cross join lateral (
				select sum(t.enqueued) as enqueued, sum(t.succeeded + t.failed + t.cancelled) as ended
				from {schema}.tally t
				where t.kind = 'queue' and t.name = asked.queue and %s) figures"""
		.formatted(JobFacts.MAX_AHEAD, WorkerStore.LIVING_SECONDS, LATELY);

	private final QueueDatabase database;

	/**
	 * Creates the statement.
	 * @param database runs the statement in a transaction of its own
	 */
	public DrainStatement(QueueDatabase database) {
		this.database = database;
	}

	/** Returns the estimate. */
	public Estimate execute(String queue) {
		List<Estimate> estimates = this.database.query(READ, (row, index) -> estimate(row), queue);
		return estimates.get(0);
	}

	private static Estimate estimate(ResultSet row) throws SQLException {
		Duration opensIn = WaitFactsStatement.seconds(row, "opens_in");
		return estimate(new Drain(row.getLong("waiting"), row.getLong("arrived"), row.getLong("ended"),
				row.getBoolean("paused"), row.getBoolean("worker"), (opensIn != null) ? opensIn : Duration.ZERO));
	}

	static Estimate estimate(Drain queue) {
		if (queue.waiting() == 0) {
			return Estimate.of(Duration.ZERO, Duration.ZERO, "no due job waits");
		}
		if (queue.paused()) {
			return Estimate.none("the queue is paused until it is resumed");
		}
		if (!queue.worker()) {
			return Estimate.none("no live worker has slots for the queue");
		}
		if (queue.ended() == 0) {
			return Estimate.none("no job of the queue has ended in the last ten minutes");
		}
		double perSecond = (queue.ended() - queue.arrived()) / (MINUTES * 60.0);
		if (perSecond <= 0) {
			return Estimate.none("as many jobs arrive as end, or more: " + queue.arrived() + " arrived and "
					+ queue.ended() + " ended in the last ten minutes");
		}
		double seconds = queue.waiting() / perSecond;
		double spread = Estimates.spread(queue.ended());
		boolean more = queue.waiting() >= JobFacts.MAX_AHEAD;
		return Estimate.of(queue.opensIn().plusMillis((long) (seconds / spread * 1000)),
				more ? null : queue.opensIn().plusMillis((long) (seconds * spread * 1000)),
				queue.waiting() + (more ? " jobs or more wait; " : " jobs wait; ") + queue.arrived() + " arrived and "
						+ queue.ended() + " ended in the last ten minutes");
	}

	/**
	 * What is known of a queue.
	 *
	 * @param waiting how many due jobs wait; {@value JobFacts#MAX_AHEAD} means this
	 * number or more
	 * @param arrived how many were enqueued in ten minutes
	 * @param ended how many have ended in ten minutes
	 * @param paused whether the queue is paused until it is resumed
	 * @param worker whether a live worker has slots for it
	 * @param opensIn the time until its window opens or its hold ends
	 */
	record Drain(long waiting, long arrived, long ended, boolean paused, boolean worker, Duration opensIn) {

	}

}

package io.rowqueue.engine.job;

/**
 * Limits the number of queues that are shown separately. Any number of queues may be
 * created by enqueueing, and must not hide others: queues that workers, limits or pauses
 * name come first, then those with the oldest and the most jobs. All others are summed.
 */
public final class QueueRanking {

	/** The maximum number of queues that are shown separately. */
	public static final int MAX_QUEUES = 200;

	/**
	 * Two tables of a statement: {@code known} and, of the queues in a table {@code seen}
	 * (queue, age, jobs), {@code ranked} (queue, rank).
	 */
	public static final String RANKED = """
			known as materialized (
				select 'default' as queue
				union select unnest(queues) from {schema}.worker where dead_at is null
				union select name from {schema}.job_limit where kind = 'queue'
				union select name from {schema}.pause where kind = 'queue'),
			ranked as materialized (
				select queue, row_number() over (order by queue in (select k.queue from known k) desc,
					max(age) desc nulls last, sum(jobs) desc, queue) as rank
				from seen group by queue)
			""";

	private QueueRanking() {
	}

}

package io.rowqueue.engine.lease;

/**
 * Finds the first job of every lane with queued jobs, with one index probe for each lane.
 * PostgreSQL has no skip scan for this case, so that the statement is recursive.
 */
public final class LaneScan {

	private static final String HEADS = """
			with recursive head as (
				(select %1$s from {schema}.job where indexed_state = 'queued' and {unclaimed}
				order by queue, type, priority, order_at, id limit 1)
				union all
				select next.* from head cross join lateral (
					select %1$s from {schema}.job
					where indexed_state = 'queued' and {unclaimed} and (queue, type, priority) > (head.queue, head.type, head.priority)
					order by queue, type, priority, order_at, id limit 1) next)""";

	private LaneScan() {
	}

	/**
	 * Returns the beginning of a statement that reads from {@code head}: the columns of
	 * the lane, and the given columns of its first job.
	 */
	public static String heads(String columns) {
		return HEADS.formatted("queue, type, priority, " + columns);
	}

}

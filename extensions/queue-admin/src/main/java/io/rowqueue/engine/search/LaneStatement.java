package io.rowqueue.engine.search;

import io.rowqueue.engine.database.QueueDatabase;

/**
 * Finds the lanes that have queued jobs, as far as they are merged for a list.
 */
final class LaneStatement {

	/** The maximum number of lanes that are merged. */
	static final int MAX_LANES = 200;

	/** The lanes of all queues, and one more than are merged. */
	static final String ALL = """
			with recursive lane as (
					(select queue, type, priority from {schema}.job where indexed_state = 'queued' and {unclaimed}
					order by queue, type, priority limit 1)
					union all
					select next.* from lane cross join lateral (
						select queue, type, priority from {schema}.job
						where indexed_state = 'queued' and {unclaimed} and (queue, type, priority) > (lane.queue, lane.type, lane.priority)
						order by queue, type, priority limit 1) next)
				select * from lane limit 201""";

	/**
	 * The lanes of named queues, likewise. The next lane is found by all columns of the
	 * index: by type and priority alone, the scan would begin at the type, and read all
	 * jobs of its lane.
	 */
	static final String OF_QUEUES = """
			with recursive lane as (
					select first.* from unnest(:queues::text[]) as named (queue) cross join lateral (
						select queue, type, priority from {schema}.job
						where indexed_state = 'queued' and {unclaimed} and queue = named.queue
						order by queue, type, priority limit 1) first
					union all
					select next.* from lane cross join lateral (
						select queue, type, priority from {schema}.job
						where indexed_state = 'queued' and {unclaimed} and (queue, type, priority) > (lane.queue, lane.type, lane.priority)
						order by queue, type, priority limit 1) next
					where next.queue = lane.queue)
				select * from lane limit 201""";

	private LaneStatement() {
	}

	/** Whether there are more lanes than are merged. */
	static boolean areMany(QueueDatabase database, boolean all, NamedParameters parameters) {
		NamedParameters.Bound bound = parameters
			.bind("select count(*) from (%s) lanes".formatted(all ? ALL : OF_QUEUES));
		return database.query(bound.sql(), (row, index) -> row.getLong(1), bound.arguments().toArray())
			.get(0) > MAX_LANES;
	}

}

package io.pgqueue.store;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

import io.pgqueue.schema.SchemaName;
import org.springframework.jdbc.core.JdbcOperations;

/**
 * Finds every lane that has queued jobs, and its low-water mark. The mark stays a second
 * behind the clock: a job that commits late with an earlier deadline waits for the next
 * sweep only if its transaction took longer than that. The last row is no lane: it tells
 * the mark of empty ones, which queues and types have limits, and which are closed.
 */
final class SweepStatement {

	private static final String SWEEP = LaneScan.heads("order_at")
			+ """

					select queue, type, priority, least(order_at, clock_timestamp() - interval '1 second')::text as mark, order_at,
						priority + case when isfinite(order_at) and ? > 0 then floor(least(65535,
							greatest(0, extract(epoch from clock_timestamp() - order_at)) * 1000000 / nullif(?, 0)))::integer
							else 0 end as urgency, null::text[] as limited, null::text[] as closed
					from head
					union all
					select null, null, null, (clock_timestamp() - interval '1 second')::text, null, null,
						array(select kind || ' ' || name from {schema}.job_limit where kind <> 'key'),
						array(select kind || ' ' || name from {schema}.pause
							where open_from is null or clock_timestamp() < open_from or clock_timestamp() >= open_until)
					order by urgency desc nulls last, order_at""";

	private final JdbcOperations jdbc;

	private final String sweep;

	SweepStatement(JdbcOperations jdbc, SchemaName schema) {
		this.jdbc = jdbc;
		this.sweep = Sql.in(schema, SWEEP);
	}

	/** The lanes by urgency: a job counts one priority higher for each {@code aging}. */
	Sweep execute(Duration aging) {
		long micros = Sql.micros(aging);
		List<LaneHead> heads = new ArrayList<>();
		String[] mark = { LaneHead.NO_MARK };
		Set<String> limited = new HashSet<>();
		Set<String> closed = new HashSet<>();
		this.jdbc.query(this.sweep, (row) -> {
			String queue = row.getString("queue");
			if (queue == null) {
				mark[0] = row.getString("mark");
				limited.addAll(List.of((String[]) row.getArray("limited").getArray()));
				closed.addAll(List.of((String[]) row.getArray("closed").getArray()));
				return;
			}
			heads.add(new LaneHead(new Lane(queue, row.getString("type"), row.getInt("priority")),
					row.getString("mark"), row.getInt("urgency")));
		}, micros, micros);
		return new Sweep(heads, mark[0], limited, closed);
	}

}

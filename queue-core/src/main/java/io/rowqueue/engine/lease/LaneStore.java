package io.rowqueue.engine.lease;

import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;

import io.rowqueue.engine.database.Parameters;
import io.rowqueue.engine.database.QueueDatabase;
import io.rowqueue.engine.database.Sql;
import org.jspecify.annotations.Nullable;

/**
 * The lanes with queued jobs, and where claims begin to read them. All methods are one
 * statement, and throw {@link org.springframework.dao.DataAccessException} if the
 * database rejects it or is not available.
 */
public final class LaneStore {

	/**
	 * The mark is a second behind the clock: a job that is committed late with an earlier
	 * deadline waits for the next sweep only if its transaction took longer. The last row
	 * is not a lane: it contains the mark of empty lanes, and which queues and types have
	 * limits or are closed.
	 */
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
						array(select kind || ' ' || name from {schema}.pause p where {closed})
					order by urgency desc nulls last, order_at""";

	/** Counts the jobs of each lane up to the maximum of a call. */
	private static final String RIPE = """
			select lane.ord,
				(select count(*) from (select from {schema}.job j
					where j.indexed_state = 'queued' and {unclaimed} and j.queue = lane.queue and j.type = lane.type and j.priority = lane.priority
						and j.order_at >= lane.mark
					limit lane.max_jobs) bounded) >= lane.max_jobs as enough,
				(select extract(epoch from least(j.order_at, j.run_at + lane.wait * interval '1 microsecond')
						- clock_timestamp())
					from {schema}.job j
					where j.indexed_state = 'queued' and {unclaimed} and j.queue = lane.queue and j.type = lane.type and j.priority = lane.priority
						and j.order_at >= lane.mark
					order by j.queue, j.type, j.priority, j.order_at, j.id limit 1) as seconds
			from unnest(?::text[], ?::text[], ?::smallint[], ?::timestamptz[], ?::integer[], ?::bigint[]) with ordinality
				as lane(queue, type, priority, mark, max_jobs, wait, ord)""";

	private final QueueDatabase database;

	/**
	 * Creates the store.
	 * @param database the database as workers see it
	 */
	public LaneStore(QueueDatabase database) {
		this.database = database;
	}

	/**
	 * Finds every lane with queued jobs, and its low-water mark.
	 * @param aging how long a job must wait beyond its deadline to gain one priority;
	 * zero for strict priorities
	 */
	public Sweep sweep(Duration aging) {
		long micros = Sql.micros(aging);
		List<LaneHead> heads = new ArrayList<>();
		String[] mark = { LaneHead.NO_MARK };
		Set<String> limited = new HashSet<>();
		Set<String> closed = new HashSet<>();
		this.database.forEach(SWEEP, (row) -> {
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

	/**
	 * Finds lanes that do not have enough jobs for a call yet, nor a job that has waited
	 * long enough.
	 */
	public RipeLanes ripe(List<GatheringLane> lanes) {
		Set<Lane> unripe = new HashSet<>();
		@Nullable Duration[] next = new @Nullable Duration[1];
		this.database.query(RIPE,
				(statement) -> bind(new Parameters(statement), lanes, GatheringLane::head)
					.array("integer", lanes, GatheringLane::maxJobs)
					.array("bigint", lanes, (lane) -> Sql.micros(lane.maxWait())),
				(row) -> {
					boolean enough = row.getBoolean("enough");
					double seconds = row.getDouble("seconds");
					boolean empty = row.wasNull();
					if (!enough && (empty || seconds > 0)) {
						unripe.add(lanes.get(row.getInt("ord") - 1).head().lane());
						Duration left = Duration.ofNanos((long) (seconds * 1e9));
						if (!empty && (next[0] == null || left.compareTo(next[0]) < 0)) {
							next[0] = left;
						}
					}
				});
		return new RipeLanes(unripe, next[0]);
	}

	/** Binds queue, type, priority and mark of the lanes. */
	static <T> Parameters bind(Parameters parameters, List<T> lanes, Function<T, LaneHead> head) throws SQLException {
		return parameters.array("text", lanes, (lane) -> head.apply(lane).lane().queue())
			.array("text", lanes, (lane) -> head.apply(lane).lane().type())
			.array("smallint", lanes, (lane) -> head.apply(lane).lane().priority())
			.array("timestamptz", lanes, (lane) -> head.apply(lane).mark());
	}

	/**
	 * A lane whose jobs are gathered for one call.
	 *
	 * @param head the lane and where it begins
	 * @param maxJobs how many jobs need not wait for further ones
	 * @param maxWait how long the first job waits, limited by its tolerance
	 */
	public record GatheringLane(LaneHead head, int maxJobs, Duration maxWait) {

	}

	/**
	 * The lanes that wait for further jobs.
	 *
	 * @param unripe these lanes
	 * @param next the time until the first of them is ripe, or {@code null} if there is
	 * none with jobs
	 */
	public record RipeLanes(Set<Lane> unripe, @Nullable Duration next) {

	}

}

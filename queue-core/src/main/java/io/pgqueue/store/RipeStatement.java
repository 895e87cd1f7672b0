package io.pgqueue.store;

import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

import io.pgqueue.schema.SchemaName;
import org.jspecify.annotations.Nullable;

import org.springframework.jdbc.core.JdbcOperations;

/**
 * Finds out whether lanes have enough jobs for a call, or a job that has waited for long
 * enough. Each is counted as far as a call goes.
 */
final class RipeStatement {

	private static final String RIPE = """
			select lane.ord,
				(select count(*) from (select from {schema}.job j
					where j.indexed_state = 'queued' and {unclaimed} and j.queue = lane.queue and j.type = lane.type and j.priority = lane.priority
						and j.order_at >= lane.mark
					limit lane.most) bounded) >= lane.most as enough,
				(select extract(epoch from least(j.order_at, j.run_at + lane.wait * interval '1 microsecond')
						- clock_timestamp())
					from {schema}.job j
					where j.indexed_state = 'queued' and {unclaimed} and j.queue = lane.queue and j.type = lane.type and j.priority = lane.priority
						and j.order_at >= lane.mark
					order by j.queue, j.type, j.priority, j.order_at, j.id limit 1) as seconds
			from unnest(?::text[], ?::text[], ?::smallint[], ?::timestamptz[], ?::integer[], ?::bigint[]) with ordinality
				as lane(queue, type, priority, mark, most, wait, ord)""";

	private final JdbcOperations jdbc;

	private final String ripe;

	RipeStatement(JdbcOperations jdbc, SchemaName schema) {
		this.jdbc = jdbc;
		this.ripe = Sql.in(schema, RIPE);
	}

	RipeLanes execute(List<GatheringLane> lanes) {
		Set<Lane> unripe = new HashSet<>();
		@Nullable Duration[] next = new @Nullable Duration[1];
		this.jdbc.query(this.ripe, (statement) -> bind(statement, lanes), (row) -> {
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

	private static void bind(PreparedStatement statement, List<GatheringLane> lanes) throws SQLException {
		statement.setArray(1, Sql.array(statement, "text", lanes, (lane) -> lane.head().lane().queue()));
		statement.setArray(2, Sql.array(statement, "text", lanes, (lane) -> lane.head().lane().type()));
		statement.setArray(3, Sql.array(statement, "smallint", lanes, (lane) -> lane.head().lane().priority()));
		statement.setArray(4, Sql.array(statement, "timestamptz", lanes, (lane) -> lane.head().mark()));
		statement.setArray(5, Sql.array(statement, "integer", lanes, GatheringLane::most));
		statement.setArray(6, Sql.array(statement, "bigint", lanes, (lane) -> Sql.micros(lane.longestWait())));
	}

}

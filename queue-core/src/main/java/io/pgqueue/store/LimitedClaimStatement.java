package io.pgqueue.store;

import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import io.pgqueue.schema.SchemaName;
import io.pgqueue.store.Claim.PoolLane;

import org.springframework.jdbc.core.JdbcOperations;
import org.springframework.jdbc.core.RowCallbackHandler;

/**
 * Leases queued jobs whose queue or type has a limit, by the function
 * {@code claim_limited}, in which a count and the claim that follows from it are one
 * transaction. Lanes without limits never come here.
 */
final class LimitedClaimStatement {

	private static final String CLAIM = """
			select
			""" + ClaimStatement.RECORD + """
			as job, j.id is null as again, extract(epoch from j.run_at - clock_timestamp()) as seconds
			from {schema}.claim_limited(?, ?, ?, ?, ?, ?, ?, ?, ?) j""";

	private final JdbcOperations jdbc;

	private final String claim;

	LimitedClaimStatement(JdbcOperations jdbc, SchemaName schema) {
		this.jdbc = jdbc;
		this.claim = Sql.in(schema, CLAIM);
	}

	LimitedClaim execute(Claim claim) {
		List<ClaimedJob> jobs = new ArrayList<>();
		List<Duration> again = new ArrayList<>(1);
		this.jdbc.query(this.claim, (statement) -> bind(statement, claim), (RowCallbackHandler) (row) -> {
			if (row.getBoolean("again")) {
				again.add(Duration.ofNanos((long) (Math.max(0, row.getDouble("seconds")) * 1e9)));
			}
			else {
				jobs.add(ClaimStatement.claimed(row.getBytes("job"), 0));
			}
		});
		jobs.sort(ClaimedJob.MOST_URGENT_FIRST);
		return new LimitedClaim(jobs, again.isEmpty() ? null : again.get(0));
	}

	private static void bind(PreparedStatement statement, Claim claim) throws SQLException {
		List<Map.Entry<String, Integer>> free = List.copyOf(claim.limits().entrySet());
		List<PoolLane> lanes = claim.lanes();
		statement.setLong(1, claim.workerId());
		statement.setArray(2, Sql.array(statement, "text", free, Map.Entry::getKey));
		statement.setArray(3, Sql.array(statement, "integer", free, Map.Entry::getValue));
		statement.setArray(4, Sql.array(statement, "text", lanes, PoolLane::pool));
		statement.setArray(5, Sql.array(statement, "text", lanes, (lane) -> lane.head().lane().queue()));
		statement.setArray(6, Sql.array(statement, "text", lanes, (lane) -> lane.head().lane().type()));
		statement.setArray(7, Sql.array(statement, "smallint", lanes, (lane) -> lane.head().lane().priority()));
		statement.setArray(8, Sql.array(statement, "timestamptz", lanes, (lane) -> lane.head().mark()));
		statement.setArray(9, Sql.array(statement, "integer", lanes, PoolLane::most));
	}

}

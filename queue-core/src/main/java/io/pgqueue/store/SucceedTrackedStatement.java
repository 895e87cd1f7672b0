package io.pgqueue.store;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

import io.pgqueue.schema.SchemaName;
import org.springframework.jdbc.core.JdbcOperations;

/**
 * Ends jobs that succeeded and that others wait for, and releases those: one commit for
 * both.
 */
final class SucceedTrackedStatement {

	private static final String SUCCEED = """
			select job_id, released%s
			from {schema}.succeed_tracked(?::bigint[], ?, ?, ?::text[], ?::bigint[], ?, ?::text[])
			where %s""";

	private final JdbcOperations jdbc;

	private final KeptJobs kept;

	private final String succeed;

	SucceedTrackedStatement(JdbcOperations jdbc, SchemaName schema, KeptJobs kept, String patience, String also) {
		this.jdbc = jdbc;
		this.kept = kept;
		this.succeed = Sql.in(schema, SUCCEED.formatted(also, patience));
	}

	/**
	 * Returns the ids of the jobs that were ended; any other lease was lost.
	 * @param released told of the queues of jobs that can be claimed now
	 */
	List<Long> execute(long workerId, int token, List<Lease> leases, Map<Lease, String> results,
			Consumer<String> released) {
		List<Lease> withResult = leases.stream().filter(results::containsKey).toList();
		List<Long> ended = new ArrayList<>(leases.size());
		this.jdbc.query(this.succeed, (statement) -> {
			statement.setArray(1, Sql.ids(statement, leases));
			statement.setLong(2, workerId);
			statement.setInt(3, token);
			statement.setArray(4, Sql.array(statement, "text", withResult, results::get));
			statement.setArray(5, Sql.ids(statement, withResult));
			statement.setBoolean(6, this.kept.keep());
			statement.setArray(7, Sql.array(statement, "text", this.kept.exceptions(), (queue) -> queue));
		}, (row) -> {
			String queue = row.getString(2);
			if (queue != null) {
				released.accept(queue);
			}
			else {
				ended.add(row.getLong(1));
			}
		});
		return ended;
	}

}

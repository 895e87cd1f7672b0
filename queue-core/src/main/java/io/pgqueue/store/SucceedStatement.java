package io.pgqueue.store;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

import io.pgqueue.schema.SchemaName;
import org.springframework.jdbc.core.JdbcOperations;

/**
 * Ends jobs whose handler returned: they leave the table of active jobs and, if history
 * is kept, enter that of finished ones. A payload that is too big to be stored inside the
 * row (about 2 kB) is not copied: rewriting it would cost more than the whole rest of the
 * job's life.
 * <p>
 * The leases are written by token, nearly always one group: a plain equality is a third
 * cheaper than to look each token up in an array.
 */
final class SucceedStatement {

	private static final String END = """
			delete from {schema}.job where id = any (?) and worker_id = ? and lease = ?
			returning id, run_at, created_at, leased_at, worker_id, priority, attempt, max_attempts, queue, type, unique_key,
				last_error, case when pg_column_size(payload) <= 2000 then payload end as payload""";

	private static final String KEEP = """
			with ended as (%s)
			insert into {schema}.job_finished (id, run_at, created_at, leased_at, worker_id, priority, attempt, max_attempts,
				queue, type, unique_key, last_error, payload, state, finished_at)
			select id, run_at, created_at, leased_at, worker_id, priority, attempt, max_attempts,
				queue, type, unique_key, last_error, payload, 'succeeded', clock_timestamp()
			from ended returning id"""
		.formatted(END);

	/**
	 * A process that freezes between the end of its job and the commit holds the job's
	 * row, which nobody else can judge until its session ends.
	 */
	private static final String SOON_COMMITTED = ", set_config('idle_in_transaction_session_timeout', '20s', true)";

	private final JdbcOperations jdbc;

	private final String succeed;

	SucceedStatement(JdbcOperations jdbc, SchemaName schema, boolean keepHistory) {
		this(jdbc, Sql.in(schema, keepHistory ? KEEP : END));
	}

	private SucceedStatement(JdbcOperations jdbc, String succeed) {
		this.jdbc = jdbc;
		this.succeed = succeed;
	}

	/** Of a statement that runs in the transactions of handlers. */
	static SucceedStatement inTransaction(JdbcOperations jdbc, SchemaName schema, boolean keepHistory) {
		return new SucceedStatement(jdbc, Sql.in(schema, (keepHistory ? KEEP : END) + SOON_COMMITTED));
	}

	/** Returns the ids of the jobs that were ended; any other lease was lost. */
	List<Long> execute(long workerId, Collection<Lease> leases) {
		List<Long> ended = new ArrayList<>(leases.size());
		Map<Integer, List<Lease>> byToken = leases.stream()
			.collect(Collectors.groupingBy(Lease::token, TreeMap::new, Collectors.toList()));
		byToken.forEach((token, group) -> this.jdbc.query(this.succeed, (statement) -> {
			statement.setArray(1, Sql.ids(statement, group));
			statement.setLong(2, workerId);
			statement.setInt(3, token);
		}, (row) -> {
			ended.add(row.getLong("id"));
		}));
		return ended;
	}

}

package io.pgqueue.store;

import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
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

	private static final String RESULT = "(?::text[])[array_position(?::bigint[], id)]::json";

	/** Big results are sent a few at a time. */
	private static final int ENOUGH_CHARACTERS = 8 * 1024 * 1024;

	private final JdbcOperations jdbc;

	private final boolean keepHistory;

	private final String succeed;

	private final String succeedWithResult;

	SucceedStatement(JdbcOperations jdbc, SchemaName schema, boolean keepHistory) {
		this(jdbc, schema, keepHistory, "");
	}

	private SucceedStatement(JdbcOperations jdbc, SchemaName schema, boolean keepHistory, String also) {
		this.jdbc = jdbc;
		this.keepHistory = keepHistory;
		this.succeed = Sql.in(schema, (keepHistory ? KEEP : END) + also);
		this.succeedWithResult = Sql.in(schema, KEEP.replace("state, finished_at)", "state, finished_at, result)")
			.replace("clock_timestamp()", "clock_timestamp(), " + RESULT) + also);
	}

	/** Of a statement that runs in the transactions of handlers. */
	static SucceedStatement inTransaction(JdbcOperations jdbc, SchemaName schema, boolean keepHistory) {
		return new SucceedStatement(jdbc, schema, keepHistory, SOON_COMMITTED);
	}

	/** Returns the ids of the jobs that were ended; any other lease was lost. */
	List<Long> execute(long workerId, Collection<Lease> leases) {
		List<Long> ended = new ArrayList<>(leases.size());
		byToken(leases).forEach((token, group) -> ended.addAll(this.jdbc.query(this.succeed, (statement) -> {
			bind(statement, workerId, token, group);
		}, (row, index) -> row.getLong("id"))));
		return ended;
	}

	/** The same for jobs with results, which are kept only where jobs are. */
	List<Long> execute(long workerId, Map<Lease, String> results) {
		if (!this.keepHistory) {
			return execute(workerId, results.keySet());
		}
		List<Long> ended = new ArrayList<>(results.size());
		byToken(results.keySet()).forEach((token, group) -> {
			Deque<Lease> left = new ArrayDeque<>(group);
			while (!left.isEmpty()) {
				List<Lease> chunk = new ArrayList<>();
				int characters = 0;
				while (!left.isEmpty() && characters < ENOUGH_CHARACTERS) {
					chunk.add(left.remove());
					characters += results.getOrDefault(chunk.get(chunk.size() - 1), "").length();
				}
				ended.addAll(this.jdbc.query(this.succeedWithResult, (statement) -> {
					bind(statement, workerId, token, chunk);
					statement.setArray(4, Sql.array(statement, "text", chunk, results::get));
					statement.setArray(5, Sql.ids(statement, chunk));
				}, (row, index) -> row.getLong("id")));
			}
		});
		return ended;
	}

	private static void bind(PreparedStatement statement, long workerId, int token, List<Lease> leases)
			throws SQLException {
		statement.setArray(1, Sql.ids(statement, leases));
		statement.setLong(2, workerId);
		statement.setInt(3, token);
	}

	private static Map<Integer, List<Lease>> byToken(Collection<Lease> leases) {
		return leases.stream().collect(Collectors.groupingBy(Lease::token, TreeMap::new, Collectors.toList()));
	}

}

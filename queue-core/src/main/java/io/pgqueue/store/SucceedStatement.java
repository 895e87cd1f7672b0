package io.pgqueue.store;

import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;

import io.pgqueue.schema.SchemaName;
import org.springframework.jdbc.core.JdbcOperations;
import org.springframework.jdbc.core.RowCallbackHandler;

/**
 * Ends jobs whose handler returned: they leave the table of active jobs and, if history
 * is kept, enter that of finished ones. A payload that is too big to be stored inside the
 * row (about 2 kB) is not copied: rewriting it would cost more than the whole rest of the
 * job's life.
 * <p>
 * The leases are written by token, nearly always one group: a plain equality is a third
 * cheaper than to look each token up in an array. Jobs whose success keeps their unique
 * key are left out of it, and only if some remain does a second statement end them.
 */
final class SucceedStatement {

	private static final String END = """
			with ended as (
				delete from {schema}.job
				where %s and id = any (?) and worker_id = ? and lease = ? and tracked is null and unique_for %s
				returning id, unique_key, unique_for%s)""";

	private static final String REST = """
			, run_at, created_at, leased_at, worker_id, priority, attempt, max_attempts, queue, type, last_error,
				case when pg_column_size(payload) <= 2000 then payload end as payload""";

	private static final String TAKE_KEY = """
			,
			taken as (
				insert into {schema}.taken_key (unique_key, job_id, taken_until)
				select unique_key, id, clock_timestamp() + unique_for from ended
				on conflict (unique_key) do update set job_id = excluded.job_id, taken_until = excluded.taken_until)""";

	private static final String INTO_HISTORY = """

			insert into {schema}.job_finished (id, run_at, created_at, leased_at, worker_id, priority, attempt, max_attempts,
				queue, type, unique_key, last_error, payload, state, finished_at, result)
			select id, run_at, created_at, leased_at, worker_id, priority, attempt, max_attempts,
				queue, type, unique_key, last_error, payload, 'succeeded', clock_timestamp(), %s
			from ended""";

	/** Rows would cost the driver more than to leave them out costs anybody. */
	private static final String IDS = "\nselect count(*), array_agg(id)%s from ended";

	private static final String RESULT = "(?::text[])[array_position(?::bigint[], id)]::json";

	/**
	 * A process that freezes between the end of its job and the commit holds the job's
	 * row, which nobody else can judge until its session ends.
	 */
	private static final String SOON_COMMITTED = ", set_config('idle_in_transaction_session_timeout', '20s', true)";

	/** Big results are sent a few at a time. */
	private static final int ENOUGH_CHARACTERS = 8 * 1024 * 1024;

	private final JdbcOperations jdbc;

	private final Variant plain;

	private final Variant keepingKeys;

	private final SucceedTrackedStatement tracked;

	private final KeptJobs kept;

	SucceedStatement(JdbcOperations jdbc, SchemaName schema, KeptJobs kept) {
		this(jdbc, schema, kept, Sql.BRIEFLY, "");
	}

	private SucceedStatement(JdbcOperations jdbc, SchemaName schema, KeptJobs kept, String patience, String also) {
		this.jdbc = jdbc;
		this.kept = kept;
		String plain = END.formatted(patience, "is null", kept.any() ? REST : "");
		String keepingKeys = END.formatted(patience, "is not null", kept.any() ? REST : "") + TAKE_KEY;
		this.plain = variant(schema, plain, also);
		this.keepingKeys = variant(schema, keepingKeys, also);
		this.tracked = new SucceedTrackedStatement(jdbc, schema, kept, patience, also);
	}

	/**
	 * Of a statement that runs in the transactions of handlers. It waits for a lock as
	 * long as the application lets its own statements wait: only its own slot does, and
	 * to give up would undo what the handler has done.
	 */
	static SucceedStatement inTransaction(JdbcOperations jdbc, SchemaName schema, KeptJobs kept) {
		return new SucceedStatement(jdbc, schema, kept, "true", SOON_COMMITTED);
	}

	private Variant variant(SchemaName schema, String end, String also) {
		if (!this.kept.any()) {
			String nowhere = Sql.in(schema, end + IDS.formatted(also));
			return new Variant(nowhere, nowhere);
		}
		return new Variant(Sql.in(schema, end + intoHistory("null", also)),
				Sql.in(schema, end + intoHistory(RESULT, also)));
	}

	private String intoHistory(String result, String also) {
		String insert = INTO_HISTORY.formatted(result);
		String some = "";
		if (this.kept.dependsOnQueue()) {
			some = this.kept.keep() ? " where queue <> all (?)" : " where queue = any (?)";
		}
		return ", kept as (" + insert + some + ")" + IDS.formatted(also);
	}

	/**
	 * Returns the ids of the jobs that were ended; any other lease was lost.
	 * @param released told of the queues of jobs that can be claimed now
	 */
	List<Long> execute(long workerId, Collection<Lease> leases, Consumer<String> released) {
		List<Long> ended = new ArrayList<>(leases.size());
		byToken(leases).forEach((token, group) -> ended.addAll(end(workerId, token, group, Map.of(), released)));
		return ended;
	}

	/** The same for jobs with results, which are kept where jobs are or others wait. */
	List<Long> execute(long workerId, Map<Lease, String> results, Consumer<String> released) {
		List<Long> ended = new ArrayList<>(results.size());
		byToken(results.keySet()).forEach((token, group) -> {
			List<Lease> chunk = new ArrayList<>();
			int characters = 0;
			for (Lease lease : group) {
				chunk.add(lease);
				characters += results.getOrDefault(lease, "").length();
				if (characters >= ENOUGH_CHARACTERS) {
					ended.addAll(end(workerId, token, chunk, results, released));
					chunk.clear();
					characters = 0;
				}
			}
			ended.addAll(chunk.isEmpty() ? List.of() : end(workerId, token, chunk, results, released));
		});
		return ended;
	}

	private List<Long> end(long workerId, int token, List<Lease> leases, Map<Lease, String> results,
			Consumer<String> released) {
		List<Long> ended = end(this.plain, workerId, token, leases, results);
		if (ended.size() < leases.size()) {
			ended.addAll(end(this.keepingKeys, workerId, token, without(leases, ended), results));
		}
		if (ended.size() < leases.size()) {
			ended.addAll(this.tracked.execute(workerId, token, without(leases, ended), results, released));
		}
		return ended;
	}

	private static List<Lease> without(List<Lease> leases, List<Long> ended) {
		Set<Long> known = new HashSet<>(ended);
		return leases.stream().filter((lease) -> !known.contains(lease.jobId())).toList();
	}

	private List<Long> end(Variant variant, long workerId, int token, List<Lease> leases, Map<Lease, String> results) {
		boolean withoutResult = results.isEmpty() || !this.kept.any();
		String sql = withoutResult ? variant.withoutResult() : variant.withResult();
		List<Long> ended = new ArrayList<>(leases.size());
		this.jdbc.query(sql, (statement) -> {
			statement.setArray(1, Sql.ids(statement, leases));
			statement.setLong(2, workerId);
			statement.setInt(3, token);
			if (!withoutResult) {
				bind(statement, leases, results);
			}
			if (this.kept.dependsOnQueue()) {
				statement.setArray(withoutResult ? 4 : 6,
						Sql.array(statement, "text", this.kept.exceptions(), (queue) -> queue));
			}
		}, (RowCallbackHandler) (row) -> {
			if (row.getInt(1) == leases.size()) {
				leases.forEach((lease) -> ended.add(lease.jobId()));
			}
			else if (row.getInt(1) > 0) {
				ended.addAll(List.of((Long[]) row.getArray(2).getArray()));
			}
		});
		return ended;
	}

	private static void bind(PreparedStatement statement, List<Lease> leases, Map<Lease, String> results)
			throws SQLException {
		statement.setArray(4, Sql.array(statement, "text", leases, results::get));
		statement.setArray(5, Sql.ids(statement, leases));
	}

	private static Map<Integer, List<Lease>> byToken(Collection<Lease> leases) {
		int first = leases.isEmpty() ? 0 : leases.iterator().next().token();
		if (leases.stream().allMatch((lease) -> lease.token() == first)) {
			return leases.isEmpty() ? Map.of() : Map.of(first, List.copyOf(leases));
		}
		Map<Integer, List<Lease>> groups = new TreeMap<>();
		for (Lease lease : leases) {
			groups.computeIfAbsent(lease.token(), (token) -> new ArrayList<>()).add(lease);
		}
		return groups;
	}

	/** The statement with and without results. */
	private record Variant(String withoutResult, String withResult) {

	}

}

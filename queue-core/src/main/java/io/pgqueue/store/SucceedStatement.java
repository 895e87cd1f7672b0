package io.pgqueue.store;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
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
 * cheaper than to look each token up in an array. Jobs whose success keeps their unique
 * key are left out of it, and only if some remain does a second statement end them.
 */
final class SucceedStatement {

	private static final String END = """
			delete from {schema}.job where id = any (?) and worker_id = ? and lease = ? and unique_for is null
			returning id, run_at, created_at, leased_at, worker_id, priority, attempt, max_attempts, queue, type, unique_key,
				last_error, case when pg_column_size(payload) <= 2000 then payload end as payload""";

	private static final String INTO_HISTORY = """
			insert into {schema}.job_finished (id, run_at, created_at, leased_at, worker_id, priority, attempt, max_attempts,
				queue, type, unique_key, last_error, payload, state, finished_at)
			select id, run_at, created_at, leased_at, worker_id, priority, attempt, max_attempts,
				queue, type, unique_key, last_error, payload, 'succeeded', clock_timestamp()
			from ended returning id""";

	private static final String END_AND_KEEP = "with ended as (" + END + ")\n" + INTO_HISTORY;

	private static final String KEEP_KEY = "with ended as (" + END
		.replace("unique_for is null", "unique_for is not null")
		.replace("id, run_at", "id, unique_for, run_at") + """
				),
				taken as (
					insert into {schema}.taken_key (unique_key, job_id, taken_until)
					select unique_key, id, clock_timestamp() + unique_for from ended
					on conflict (unique_key) do update set job_id = excluded.job_id, taken_until = excluded.taken_until)
				""";

	private final JdbcOperations jdbc;

	private final String succeed;

	private final String keepKey;

	SucceedStatement(JdbcOperations jdbc, SchemaName schema, boolean keepHistory) {
		this.jdbc = jdbc;
		this.succeed = Sql.in(schema, keepHistory ? END_AND_KEEP : END);
		this.keepKey = Sql.in(schema, KEEP_KEY + (keepHistory ? INTO_HISTORY : "select id from ended"));
	}

	/** Returns the ids of the jobs that were ended; any other lease was lost. */
	List<Long> execute(long workerId, Collection<Lease> leases) {
		List<Long> ended = new ArrayList<>(leases.size());
		Map<Integer, List<Lease>> byToken = leases.stream()
			.collect(Collectors.groupingBy(Lease::token, TreeMap::new, Collectors.toList()));
		byToken.forEach((token, group) -> {
			Set<Long> plain = new HashSet<>(end(this.succeed, workerId, token, group));
			ended.addAll(plain);
			if (plain.size() < group.size()) {
				List<Lease> others = group.stream().filter((lease) -> !plain.contains(lease.jobId())).toList();
				ended.addAll(end(this.keepKey, workerId, token, others));
			}
		});
		return ended;
	}

	private List<Long> end(String statement, long workerId, int token, List<Lease> leases) {
		return this.jdbc.query(statement, (prepared) -> {
			prepared.setArray(1, Sql.ids(prepared, leases));
			prepared.setLong(2, workerId);
			prepared.setInt(3, token);
		}, (row, index) -> row.getLong("id"));
	}

}

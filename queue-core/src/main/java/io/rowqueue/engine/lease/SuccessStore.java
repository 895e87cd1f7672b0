package io.rowqueue.engine.lease;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;

import io.rowqueue.engine.database.Parameters;
import io.rowqueue.engine.database.QueueDatabase;
import io.rowqueue.engine.database.Sql;
import io.rowqueue.engine.wakeup.Arrivals;
import org.jspecify.annotations.Nullable;

/**
 * Ends jobs that have succeeded: they are moved from the table of active jobs to the
 * history, if it is kept. A payload that is too large to be stored within the row (about
 * 2 kB) is not copied, since that would cost more than everything else in the life of the
 * job.
 * <p>
 * There is one statement for each lease token, and nearly always all tokens are equal: a
 * plain equality is a third cheaper than a search in an array. It excludes jobs that keep
 * their unique key and jobs that others wait for; a second and a third statement end
 * these, if there are any.
 * <p>
 * All methods throw {@link org.springframework.dao.DataAccessException} if the database
 * rejects a statement or is not available.
 */
public final class SuccessStore {

	private static final String END = """
			with ended as (
				delete from {schema}.job
				where %s and id = any (?) and worker_id = ? and lease = ? and tracked is null and unique_for %s
				returning id, unique_key, limit_key, unique_for%s)""";

	private static final String REST = """
			, run_at, created_at, leased_at, worker_id, priority, attempt, max_attempts, queue, type, last_error,
				case when pg_column_size(payload) <= 2000 then payload end as payload""";

	private static final String TAKE_KEY = """
			,
			taken as (
				insert into {schema}.taken_key (unique_key, job_id, taken_until, limit_key)
				select unique_key, id, clock_timestamp() + unique_for, limit_key from ended
				on conflict (unique_key, from_enqueue) do update
				set job_id = excluded.job_id, taken_until = excluded.taken_until, limit_key = excluded.limit_key)""";

	/** One row with arrays, since separate rows would cost the driver more. */
	private static final String IDS = "\nselect count(*), array_agg(id)%s from ended";

	private static final String RESULT = "(?::text[])[array_position(?::bigint[], id)]::json";

	/** Ends the jobs and releases their successors in one commit. */
	private static final String END_TRACKED = """
			select job_id, queue, limited%s
			from {schema}.succeed_tracked(?::bigint[], ?, ?, ?::text[], ?::bigint[], ?, ?::text[])
			where %s""";

	/**
	 * If a process freezes between the end of its job and the commit, it holds a lock on
	 * the row of the job, and no other worker can recover the job until the session ends.
	 */
	private static final String SOON_COMMITTED = ", set_config('idle_in_transaction_session_timeout', '20s', true)";

	/** The results of a statement reach this size at most by one result. */
	private static final int CHUNK_CHARACTERS = 8 * 1024 * 1024;

	private final QueueDatabase database;

	private final KeptJobs kept;

	private final Variant plain;

	private final Variant keepingKeys;

	private final String tracked;

	/**
	 * Creates the store, whose statements wait only briefly for locks.
	 * @param database the database as workers see it
	 * @param kept which succeeded jobs are kept
	 */
	public SuccessStore(QueueDatabase database, KeptJobs kept) {
		this(database, kept, Sql.BRIEFLY, "");
	}

	private SuccessStore(QueueDatabase database, KeptJobs kept, String patience, String also) {
		this.database = database;
		this.kept = kept;
		String rest = kept.any() ? REST : "";
		this.plain = variant(END.formatted(patience, "is null", rest), also);
		this.keepingKeys = variant(END.formatted(patience, "is not null", rest) + TAKE_KEY, also);
		this.tracked = database.sql(END_TRACKED.formatted(also, patience));
	}

	/**
	 * Creates a store whose statements run in the transactions of handlers. They wait for
	 * locks as long as the application's own statements, since they block only their own
	 * slot, and a timeout would undo the work of the handler.
	 * @param database the database as the application sees it
	 * @param kept which succeeded jobs are kept
	 */
	public static SuccessStore inTransaction(QueueDatabase database, KeptJobs kept) {
		return new SuccessStore(database, kept, "true", SOON_COMMITTED);
	}

	private Variant variant(String end, String also) {
		if (!this.kept.any()) {
			String nowhere = this.database.sql(end + IDS.formatted(also));
			return new Variant(nowhere, nowhere);
		}
		return new Variant(this.database.sql(end + intoHistory("null", also)),
				this.database.sql(end + intoHistory(RESULT, also)));
	}

	private String intoHistory(String result, String also) {
		String some = "";
		if (this.kept.dependsOnQueue()) {
			some = this.kept.keep() ? " where queue <> all (?)" : " where queue = any (?)";
		}
		return ", kept as (\n" + FinishedRows.insert("succeeded", result, "ended") + some + ")" + IDS.formatted(also);
	}

	/**
	 * Ends jobs that have succeeded, and releases their successors: one statement for
	 * each lease token, and one more each for jobs that keep their unique key and for
	 * jobs that others wait for. If this takes part in a transaction, the caller must
	 * commit it at once, or roll it back if a job was not ended: until then no other
	 * process can end, recover or cancel the jobs.
	 * @param results the results as JSON of those jobs that have one; they are stored if
	 * the succeeded jobs are kept, or others wait for them
	 * @param released receives the released jobs after the commit
	 * @return the ids of the jobs that were ended; all other leases were lost
	 */
	public List<Long> succeed(long workerId, Collection<Lease> leases, Map<Lease, String> results,
			Consumer<Arrivals> released) {
		List<Long> ended = new ArrayList<>(leases.size());
		byToken(leases).forEach((token, group) -> {
			int begin = 0;
			int characters = 0;
			for (int end = 1; end <= group.size(); end++) {
				characters += results.getOrDefault(group.get(end - 1), "").length();
				if (characters >= CHUNK_CHARACTERS || end == group.size()) {
					ended.addAll(end(workerId, token, group.subList(begin, end), results, released));
					begin = end;
					characters = 0;
				}
			}
		});
		return ended;
	}

	private List<Long> end(long workerId, int token, List<Lease> leases, Map<Lease, String> results,
			Consumer<Arrivals> released) {
		List<Long> ended = end(this.plain, workerId, token, leases, results);
		if (ended.size() < leases.size()) {
			ended.addAll(end(this.keepingKeys, workerId, token, without(leases, ended), results));
		}
		if (ended.size() < leases.size()) {
			ended.addAll(endTracked(workerId, token, without(leases, ended), results, released));
		}
		return ended;
	}

	private static List<Lease> without(List<Lease> leases, List<Long> ended) {
		Set<Long> known = new HashSet<>(ended);
		return leases.stream().filter((lease) -> !known.contains(lease.jobId())).toList();
	}

	private List<Long> end(Variant variant, long workerId, int token, List<Lease> leases, Map<Lease, String> results) {
		List<Lease> withResult = this.kept.any() ? withResult(leases, results) : List.of();
		String end = withResult.isEmpty() ? variant.withoutResult() : variant.withResult();
		List<Long> ended = new ArrayList<>(leases.size());
		this.database.jdbc().query(end, (statement) -> {
			Parameters parameters = new Parameters(statement).array("bigint", leases, Lease::jobId)
				.number(workerId)
				.integer(token);
			if (!withResult.isEmpty()) {
				parameters.byId("text", withResult, results::get, withResult, Lease::jobId);
			}
			if (this.kept.dependsOnQueue()) {
				parameters.texts(this.kept.exceptions());
			}
		}, (row) -> {
			if (row.getInt(1) == leases.size()) {
				leases.forEach((lease) -> ended.add(lease.jobId()));
			}
			else if (row.getInt(1) > 0) {
				ended.addAll(List.of((Long[]) row.getArray(2).getArray()));
			}
		});
		return ended;
	}

	private List<Long> endTracked(long workerId, int token, List<Lease> leases, Map<Lease, String> results,
			Consumer<Arrivals> released) {
		List<Lease> withResult = withResult(leases, results);
		List<Long> ended = new ArrayList<>(leases.size());
		this.database.jdbc()
			.query(this.tracked,
					(statement) -> new Parameters(statement).array("bigint", leases, Lease::jobId)
						.number(workerId)
						.integer(token)
						.byId("text", withResult, results::get, withResult, Lease::jobId)
						.flag(this.kept.keep())
						.texts(this.kept.exceptions()),
					(row) -> {
						String queue = row.getString(2);
						if (queue != null) {
							released.accept(Arrivals.of(queue, row.getBoolean(3)));
						}
						else {
							ended.add(row.getLong(1));
						}
					});
		return ended;
	}

	private static List<Lease> withResult(List<Lease> leases, Map<Lease, String> results) {
		return results.isEmpty() ? List.of() : leases.stream().filter(results::containsKey).toList();
	}

	private static Map<Integer, List<Lease>> byToken(Collection<Lease> leases) {
		Map<Integer, List<Lease>> groups = new TreeMap<>();
		for (Lease lease : leases) {
			groups.computeIfAbsent(lease.token(), (token) -> new ArrayList<>(leases.size())).add(lease);
		}
		return groups;
	}

	/** The statement with and without results. */
	private record Variant(String withoutResult, String withResult) {

	}

}

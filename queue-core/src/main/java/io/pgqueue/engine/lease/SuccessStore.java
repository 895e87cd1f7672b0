package io.pgqueue.engine.lease;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;

import io.pgqueue.engine.database.Parameters;
import io.pgqueue.engine.database.QueueDatabase;
import io.pgqueue.engine.database.Sql;
import io.pgqueue.engine.wakeup.Arrivals;
import org.jspecify.annotations.Nullable;

/**
 * Ends jobs whose handler returned: they leave the table of active jobs and, if history
 * is kept, enter that of finished ones. A payload that is too big to be stored inside the
 * row (about 2 kB) is not copied: rewriting it would cost more than the whole rest of the
 * job's life.
 * <p>
 * The leases are written by token, nearly always one group: a plain equality is a third
 * cheaper than to look each token up in an array. Jobs whose success keeps their unique
 * key are left out of it, and so are those that others wait for; only if some remain do a
 * second and a third statement end them.
 * <p>
 * All methods throw {@link org.springframework.dao.DataAccessException} when the database
 * refuses or is away.
 */
public final class SuccessStore {

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

	/** Rows would cost the driver more than to leave them out costs anybody. */
	private static final String IDS = "\nselect count(*), array_agg(id)%s from ended";

	private static final String RESULT = "(?::text[])[array_position(?::bigint[], id)]::json";

	/** One commit for the jobs and those that it releases. */
	private static final String END_TRACKED = """
			select job_id, queue, limited%s
			from {schema}.succeed_tracked(?::bigint[], ?, ?, ?::text[], ?::bigint[], ?, ?::text[])
			where %s""";

	/**
	 * A process that freezes between the end of its job and the commit holds the job's
	 * row, which nobody else can judge until its session ends.
	 */
	private static final String SOON_COMMITTED = ", set_config('idle_in_transaction_session_timeout', '20s', true)";

	/** Big results are sent a few at a time. */
	private static final int CHUNK_CHARACTERS = 8 * 1024 * 1024;

	private final QueueDatabase database;

	private final KeptJobs kept;

	private final Variant plain;

	private final Variant keepingKeys;

	private final String tracked;

	/**
	 * Creates the store, whose statements wait for locks only briefly.
	 * @param database where workers see the queue
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
	 * a lock as long as the application lets its own statements wait: only their own slot
	 * does, and to give up would undo what the handler has done.
	 * @param database where the application sees the queue
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
	 * Ends jobs that succeeded, and lets those run that were waiting for them: one
	 * statement for each lease token, and one more each for jobs that keep their unique
	 * key and jobs that others wait for.
	 * @param released receives the jobs that wait for them no longer after the commit
	 * @return the ids of the jobs that were ended; any other lease was lost
	 */
	public List<Long> succeed(long workerId, Collection<Lease> leases, Consumer<Arrivals> released) {
		List<Long> ended = new ArrayList<>(leases.size());
		byToken(leases).forEach((token, group) -> ended.addAll(end(workerId, token, group, Map.of(), released)));
		return ended;
	}

	/**
	 * The same for jobs with results. They are kept if succeeded jobs are, or others wait
	 * for them.
	 * @param results what the jobs returned, as JSON
	 * @param released receives the jobs that wait for them no longer after the commit
	 * @return the ids of the jobs that were ended; any other lease was lost
	 */
	public List<Long> succeed(long workerId, Map<Lease, String> results, Consumer<Arrivals> released) {
		List<Long> ended = new ArrayList<>(results.size());
		byToken(results.keySet()).forEach((token, group) -> {
			List<Lease> chunk = new ArrayList<>();
			int characters = 0;
			for (Lease lease : group) {
				chunk.add(lease);
				characters += results.getOrDefault(lease, "").length();
				if (characters >= CHUNK_CHARACTERS) {
					ended.addAll(end(workerId, token, chunk, results, released));
					chunk.clear();
					characters = 0;
				}
			}
			ended.addAll(chunk.isEmpty() ? List.of() : end(workerId, token, chunk, results, released));
		});
		return ended;
	}

	/**
	 * The same for one job. If this takes part in a transaction, that is to be committed
	 * at once, or rolled back if this returns false: until then nobody else can end,
	 * recover or cancel the job.
	 * @param result what the job returned, as JSON, or {@code null}
	 * @param released receives the jobs that wait for them no longer after the commit
	 * @return whether the job was ended; otherwise its lease was lost
	 */
	public boolean succeed(long workerId, Lease lease, @Nullable String result, Consumer<Arrivals> released) {
		Map<Lease, String> results = (result != null) ? Map.of(lease, result) : Map.of();
		return !end(workerId, lease.token(), List.of(lease), results, released).isEmpty();
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
		boolean withoutResult = results.isEmpty() || !this.kept.any();
		List<Long> ended = new ArrayList<>(leases.size());
		this.database.jdbc().query(withoutResult ? variant.withoutResult() : variant.withResult(), (statement) -> {
			Parameters parameters = new Parameters(statement).array("bigint", leases, Lease::jobId)
				.number(workerId)
				.integer(token);
			if (!withoutResult) {
				parameters.byId("text", leases, results::get, leases, Lease::jobId);
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
		List<Lease> withResult = leases.stream().filter(results::containsKey).toList();
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

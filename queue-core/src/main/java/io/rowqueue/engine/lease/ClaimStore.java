package io.rowqueue.engine.lease;

import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;

import io.rowqueue.engine.database.Parameters;
import io.rowqueue.engine.database.QueueDatabase;
import io.rowqueue.engine.lease.Claim.PoolLane;
import io.rowqueue.engine.listen.StoreListener;
import org.jspecify.annotations.Nullable;

/**
 * Claims queued jobs for a worker. Each pool of slots has a maximum; its lanes are read
 * in the given order, and a lane is not read if those before it have reached the maximum;
 * a lane can have its own maximum. Rows that another worker is claiming are skipped
 * without waiting.
 * <p>
 * The rows are found by {@code ctid}, in arrays: a join would tempt the planner into a
 * hash over the whole table when statistics are stale, and a nested loop that runs the
 * limit twice claims too many.
 * <p>
 * The arrays of slots and lanes are selected, so that the planner does not see how long
 * they are. Otherwise it would expect a plan for arrays of one element to be cheaper than
 * the general one, and would plan each claim anew, which takes three times as long as to
 * execute it for a single job.
 * <p>
 * A claimed row keeps its position, and its index entries do not change. The claimed jobs
 * are recorded in one separate row, by which the jobs of a worker are found.
 * <p>
 * Skipping a locked row costs about as much as claiming one, and concurrent claims meet
 * all rows that the others are about to commit. Such rows have an {@code xmax}. Most
 * others have none, or that of the transaction which has written the row version, as
 * after a transaction that locks a row and then changes it: a promotion, a retry. A claim
 * of untouched rows skips all rows with another {@code xmax} without checking their
 * locks. Some of them are not locked, for example after the rollback of a claim. A claim
 * of any rows reports whether it met such rows.
 * <p>
 * Payloads of more than 16 kB are not read, because the payloads of all jobs that a
 * worker holds must fit into its memory. The first condition is cheap and sufficient for
 * most: it checks the stored size, which is inconclusive only for compressed payloads.
 * <p>
 * Lanes whose queue or type has a limit are claimed by the function
 * {@code claim_limited}, which counts and claims in one transaction.
 * <p>
 * All methods throw {@link org.springframework.dao.DataAccessException} if the database
 * rejects a statement or is not available.
 */
public final class ClaimStore {

	/** The record that {@link #claimed} reads. */
	public static final String RECORD = """
			record_send(row(j.id, j.lease, j.type, j.queue, j.priority, j.attempt, j.max_attempts, j.run_at, j.order_at,
				j.created_at, j.leased_at, j.cancel_requested,
				case when pg_column_size(j.payload) <= 2000 and pg_column_compression(j.payload) is null then j.payload
					when octet_length(j.payload::text) <= 16384 then j.payload end,
				j.payload is null, j.headers, j.limit_key))""";

	private static final String CLAIM = """
			with pick as materialized (
				select job.tid, job.id, job.touched
				from unnest((select ?::text[]), (select ?::integer[])) as capacity(pool, free)
				cross join lateral (
					select candidate.tid, candidate.id, candidate.touched
					from unnest((select ?::text[]), (select ?::text[]), (select ?::text[]), (select ?::smallint[]),
						(select ?::timestamptz[]), (select ?::integer[])) as lane(pool, queue, type, priority, mark, max_jobs)
					cross join lateral (
						select j.ctid as tid, j.id, j.xmax not in (0, j.xmin) as touched
						from {schema}.job j
						where j.indexed_state = 'queued' and {unclaimed} and j.queue = lane.queue and j.type = lane.type
							and j.priority = lane.priority and j.order_at >= lane.mark %s
						order by j.queue, j.type, j.priority, j.order_at, j.id
						limit least(capacity.free, lane.max_jobs)
						for no key update skip locked) candidate
					where lane.pool = capacity.pool and not exists (select from {schema}.pause p
						where (p.kind, p.name) in (('queue', lane.queue), ('queue', {schema}.queue_class(lane.queue)), ('type', lane.type))
							and {closed})
					limit capacity.free) job
				where exists (select from {schema}.worker where id = ? and dead_at is null)),
			noted as (
				insert into {schema}.claim (worker_id, job_ids) select ?, array_agg(id) from pick having count(*) > 0
				returning id),
			over as (
				delete from {schema}.claim where worker_id = ? and id = any (?))
			update {schema}.job j
			set {starting}
			where j.ctid = any (array(select tid from pick))
			returning
			"""
			+ RECORD + ", %s as touched, (select id from noted)";

	/** A case expression, since the planner assumes that few rows meet an equation. */
	private static final String UNTOUCHED = "and case when j.xmax in (0, j.xmin) then true else false end";

	private static final String TOUCHED = "(select bool_or(touched) from pick)";

	private static final String CLAIM_LIMITED = """
			select
			""" + RECORD + """
			as job, j.id is null as again, extract(epoch from j.run_at - clock_timestamp()) as seconds
			from {schema}.claim_limited(?, ?, ?, ?, ?, ?, ?, ?, ?) j""";

	private static final String CLAIM_ANY = CLAIM.formatted("", TOUCHED);

	private static final String CLAIM_UNTOUCHED = CLAIM.formatted(UNTOUCHED, "false");

	private final QueueDatabase database;

	private final StoreListener listener;

	/**
	 * Creates the store.
	 * @param database the database as workers see it
	 * @param listener is notified of the claims
	 */
	public ClaimStore(QueueDatabase database, StoreListener listener) {
		this.database = database;
		this.listener = listener;
	}

	/** Claims queued jobs. */
	public Claimed claim(Claim claim) {
		long begin = System.nanoTime();
		List<ClaimedJob> jobs = new ArrayList<>();
		AtomicBoolean touched = new AtomicBoolean();
		AtomicLong claimId = new AtomicLong();
		RepeatedText type = new RepeatedText();
		RepeatedText queue = new RepeatedText();
		this.database.query(claim.untouched() ? CLAIM_UNTOUCHED : CLAIM_ANY, (statement) -> {
			Parameters parameters = new Parameters(statement);
			bind(parameters, claim).number(claim.workerId())
				.number(claim.workerId())
				.number(claim.workerId())
				.numbers(claim.over())
				.number(claim.workerId());
		}, (row) -> {
			// these values are the same in all rows
			if (jobs.isEmpty()) {
				touched.setPlain(row.getBoolean(2));
				claimId.setPlain(row.getLong(3));
			}
			jobs.add(claimed(row.getBytes(1), claimId.getPlain(), type, queue));
		});
		jobs.sort(ClaimedJob.MOST_URGENT_FIRST);
		Claimed claimed = new Claimed(jobs, touched.getPlain(), claimId.getPlain());
		report(jobs, begin);
		return claimed;
	}

	/**
	 * Claims queued jobs of lanes whose queue or type has a limit, as many as the limit
	 * allows.
	 */
	public LimitedClaim claimLimited(Claim claim) {
		long begin = System.nanoTime();
		List<ClaimedJob> jobs = new ArrayList<>();
		List<Duration> again = new ArrayList<>(1);
		this.database.query(CLAIM_LIMITED,
				(statement) -> bind(new Parameters(statement).number(claim.workerId()), claim), (row) -> {
					if (row.getBoolean("again")) {
						again.add(Duration.ofNanos((long) (Math.max(0, row.getDouble("seconds")) * 1e9)));
					}
					else {
						jobs.add(claimed(row.getBytes("job"), 0));
					}
				});
		jobs.sort(ClaimedJob.MOST_URGENT_FIRST);
		report(jobs, begin);
		return new LimitedClaim(jobs, again.isEmpty() ? null : again.get(0));
	}

	/** Reports a job that was enqueued with its lease. */
	public void report(ClaimedJob job) {
		this.listener.claimed(job.queue(), job.type());
	}

	private void report(List<ClaimedJob> jobs, long begin) {
		this.listener.claimed(jobs.size(), Duration.ofNanos(System.nanoTime() - begin));
		jobs.forEach(this::report);
	}

	/** Binds the free slots and the lanes. */
	private static Parameters bind(Parameters parameters, Claim claim) throws SQLException {
		List<Map.Entry<String, Integer>> room = List.copyOf(claim.room().entrySet());
		List<PoolLane> lanes = claim.lanes();
		parameters.array("text", room, Map.Entry::getKey)
			.array("integer", room, Map.Entry::getValue)
			.array("text", lanes, PoolLane::pool);
		return LaneStore.bind(parameters, lanes, PoolLane::head).array("integer", lanes, PoolLane::maxJobs);
	}

	/** Reads what {@link #RECORD} has sent. */
	public static ClaimedJob claimed(byte[] sent, long claimId) {
		return claimed(sent, claimId, new RepeatedText(), new RepeatedText());
	}

	private static ClaimedJob claimed(byte[] sent, long claimId, RepeatedText types, RepeatedText queues) {
		SentRecord record = new SentRecord(sent);
		Lease lease = new Lease(record.bigint(), record.integer());
		String type = record.text(types);
		String queue = record.text(queues);
		int priority = record.smallint();
		int attempt = record.smallint();
		Integer maxAttempts = record.smallintOrNull();
		long runAt = record.time();
		long orderAt = record.time();
		long createdAt = record.time();
		long leasedAt = record.time();
		boolean cancelRequested = record.isTrue();
		String payload = record.textOrNull();
		boolean none = record.isTrue();
		return new ClaimedJob(lease, type, queue, priority, attempt, maxAttempts, runAt, orderAt, createdAt, leasedAt,
				cancelRequested, payload, payload == null && !none, record.textOrNull(), record.textOrNull(), claimId);
	}

	/**
	 * The result of a claim.
	 *
	 * @param jobs the jobs, the most urgent first; fewer than requested if there are no
	 * more
	 * @param touched whether another transaction had locked and released any of them
	 * before; false if only untouched ones were requested
	 * @param claimId the id for {@link Claim#over()}, once none of its jobs is held any
	 * more; 0 if there are no jobs
	 */
	public record Claimed(List<ClaimedJob> jobs, boolean touched, long claimId) {

	}

	/**
	 * The result of a claim under limits.
	 *
	 * @param jobs the jobs, the most urgent first
	 * @param again the time until there may be more, because a token is available or
	 * another worker no longer locks the limit; {@code null}: not before a job ends or
	 * arrives
	 */
	public record LimitedClaim(List<ClaimedJob> jobs, @Nullable Duration again) {

	}

}

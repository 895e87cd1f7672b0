package io.rowqueue.engine.job;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;

import io.rowqueue.EnqueueResult;
import io.rowqueue.EnqueueResult.Outcome;
import io.rowqueue.JobRequest;
import io.rowqueue.engine.database.QueueDatabase;
import io.rowqueue.engine.lease.ClaimStore;
import io.rowqueue.engine.lease.ClaimedJob;
import io.rowqueue.engine.lease.KeptJobs;
import io.rowqueue.flow.Flow.Adder;
import io.rowqueue.flow.FlowResult;
import org.jspecify.annotations.Nullable;

/**
 * Stores new jobs: those without a unique key with a plain insert, those with one with a
 * function of the database, which checks the key again after each wait for another
 * transaction. One call locks keys in a fixed order, so that two of them cannot deadlock.
 * All methods throw {@link org.springframework.dao.DataAccessException} if the database
 * rejects a statement or is not available.
 */
public final class EnqueueStore {

	/** The function decides whether a worker holds the job. */
	private static final String INSERT_LEASED = """
			select (e.added).id, e.claim_id, case when e.claim_id is not null then
			""" + ClaimStore.RECORD + """
			end as job
			from {schema}.enqueue_leased(?, ?::text, ?::text, ?::smallint, ?::smallint, ?::json, ?::json) e
			cross join lateral (select (e.added).*) j""";

	/** As if it had not been leased: nobody else has seen the lease. */
	private static final String QUEUE_LEASED = """
			with ended as (delete from {schema}.claim where worker_id = ? and id = ?)
			update {schema}.job set state = 'queued', attempt = 0, lease = 0, worker_id = null, leased_at = null
			where id = ? and worker_id = ? and lease = ?""";

	private final QueueDatabase database;

	private final InsertStatement insert;

	private final KeyedStatement keyed;

	private final DependStatement depend;

	private final FlowStatement flow;

	/**
	 * Creates the store.
	 * @param database the database as the application sees it
	 * @param kept which succeeded jobs are kept
	 */
	public EnqueueStore(QueueDatabase database, KeptJobs kept) {
		this.database = database;
		this.insert = new InsertStatement(database);
		this.keyed = new KeyedStatement(database);
		this.depend = new DependStatement(database, kept);
		this.flow = new FlowStatement(database, this.insert, this.depend);
	}

	/**
	 * Stores a flow with a few statements. Requires a transaction.
	 * @param name the name of the flow
	 * @param jobs its jobs, each after those that it waits for
	 */
	public StoredFlow enqueue(String name, List<NewFlowJob> jobs) {
		return this.flow.create(name, jobs);
	}

	/**
	 * Adds jobs to the flow of a running job. Requires a transaction.
	 * @param adder the job that adds
	 * @param jobs the jobs, each after those that it waits for
	 * @param beforeSuccessors whether the jobs that run after the adding one wait for all
	 * of these
	 */
	public StoredFlow extend(Adder adder, List<NewFlowJob> jobs, boolean beforeSuccessors) {
		return this.flow.extend(adder, jobs, beforeSuccessors);
	}

	/** Returns whether {@link #enqueueLeased} can store the job: it is plain and due. */
	public static boolean canBeLeased(NewJob job) {
		return job.isPlain() && NewJobColumn.isDueAtOnce(job);
	}

	/**
	 * Stores a job with a lease of a worker, unless the job may not run now: then it is
	 * queued.
	 */
	public StoredJob enqueueLeased(NewJob job, long workerId) {
		return this.database
			.query(INSERT_LEASED, (statement) -> NewJobColumn.bindAtOnce(statement, job, workerId),
					(row, index) -> new StoredJob(row.getLong("id"),
							leased(row.getBytes("job"), row.getLong("claim_id"))))
			.get(0);
	}

	private static @Nullable ClaimedJob leased(byte @Nullable [] job, long claimId) {
		return (job != null) ? ClaimStore.claimed(job, claimId) : null;
	}

	/**
	 * Queues a job that {@link #enqueueLeased} has stored with a lease in the current
	 * transaction.
	 */
	public void queueLeased(ClaimedJob job, long workerId) {
		this.database.update(QUEUE_LEASED, workerId, job.claimId(), job.lease().jobId(), workerId, job.lease().token());
	}

	/**
	 * Stores new jobs, and returns one result for each, in order. Jobs with and without
	 * unique keys take one statement each. Jobs that merge payloads take two statements
	 * each, and require a transaction: the first one locks the job whose payload the
	 * second one writes.
	 */
	public List<EnqueueResult> enqueue(List<NewJob> jobs) {
		if (!jobs.isEmpty() && jobs.stream().allMatch(NewJob::isPlain)) {
			return created(this.insert.plain(jobs));
		}
		@Nullable EnqueueResult[] results = new EnqueueResult[jobs.size()];
		List<Integer> plain = new ArrayList<>(jobs.size());
		List<Integer> keyed = new ArrayList<>();
		List<Integer> others = new ArrayList<>(0);
		for (int i = 0; i < jobs.size(); i++) {
			JobRequest request = jobs.get(i).request();
			boolean isOther = request.limitKey() != null || jobs.get(i).hasPredecessors();
			(request.unique() != null ? keyed : isOther ? others : plain).add(i);
		}
		this.depend.check(select(jobs, others));
		insert(this.insert::labelled, jobs, plain, results);
		insert(this::limitedOrDependent, jobs, others, results);
		put(results, keyed, this.keyed.execute(select(jobs, keyed)));
		return List.of(results).stream().map(Objects::requireNonNull).toList();
	}

	private List<Long> limitedOrDependent(List<NewJob> jobs) {
		List<Long> ids = this.insert.limitedOrDependent(jobs);
		this.depend.execute(DependStatement.of(jobs, ids));
		return ids;
	}

	private static void insert(Function<List<NewJob>, List<Long>> statement, List<NewJob> jobs, List<Integer> indexes,
			@Nullable EnqueueResult[] results) {
		if (!indexes.isEmpty()) {
			put(results, indexes, created(statement.apply(select(jobs, indexes))));
		}
	}

	private static List<EnqueueResult> created(List<Long> ids) {
		return ids.stream().map((id) -> new EnqueueResult(id, Outcome.CREATED)).toList();
	}

	private static List<NewJob> select(List<NewJob> jobs, List<Integer> indexes) {
		return indexes.stream().map(jobs::get).toList();
	}

	private static void put(@Nullable EnqueueResult[] all, List<Integer> indexes, List<EnqueueResult> results) {
		for (int i = 0; i < results.size(); i++) {
			all[indexes.get(i)] = results.get(i);
		}
	}

	/**
	 * A job that was stored with a lease if it may run now.
	 *
	 * @param id the id of the job
	 * @param leased the job with its lease; {@code null}: it was queued
	 */
	public record StoredJob(long id, @Nullable ClaimedJob leased) {

	}

	/**
	 * A flow, or an addition to one, that was stored.
	 *
	 * @param result the ids
	 * @param kept the names of the jobs that had been stored before
	 */
	public record StoredFlow(FlowResult result, Set<String> kept) {

	}

}

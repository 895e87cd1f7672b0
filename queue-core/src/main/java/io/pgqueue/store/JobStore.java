package io.pgqueue.store;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Consumer;

import io.pgqueue.Batch.Event;
import io.pgqueue.BatchProgress;
import io.pgqueue.EnqueueResult;
import io.pgqueue.FlowResult;
import io.pgqueue.Job;
import io.pgqueue.schema.SchemaName;
import org.jspecify.annotations.Nullable;
import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.JdbcOperations;

/**
 * The jobs. Every method is one statement unless it says otherwise; what happens between
 * a job's enqueue and its end stands here in the order in which it happens. All methods
 * throw {@link DataAccessException} when the database refuses or is away.
 */
public final class JobStore {

	private final EnqueueStatement enqueue;

	private final FindStatement find;

	private final FindStatement findCommitted;

	private final ResultStatement result;

	private final BatchStatement batchOfJob;

	private final WakeUpStatement wakeUp;

	private final SweepStatement sweep;

	private final ClaimStatement claim;

	private final LimitedClaimStatement limitedClaim;

	private final LimitStore limits;

	private final RipeStatement ripe;

	private final PayloadStatement payload;

	private final RunningStatement running;

	private final ProgressStatement progress;

	private final SucceedStatement succeed;

	private final SucceedStatement succeedInTransaction;

	private final FailStatement fail;

	private final ReleaseStatement release;

	private final SnoozeStatement snooze;

	private final CancelStatement cancel;

	private final LeasesStatement leases;

	private final CountStatement count;

	private final WindowStore windows;

	private final StepStore steps;

	private final StepStore stepsInTransaction;

	private final StoreListener listener;

	/**
	 * Creates a store that tells nobody what it does.
	 * @param application runs what takes part in the application's transactions
	 * @param worker runs what workers do, each statement in a transaction of its own
	 * @param schema the schema of the tables
	 * @param keepHistory whether succeeded jobs are kept
	 */
	public JobStore(JdbcOperations application, JdbcOperations worker, SchemaName schema, boolean keepHistory) {
		this(application, worker, schema, keepHistory ? KeptJobs.ALL : KeptJobs.NONE, StoreListener.NONE);
	}

	/**
	 * Creates the store.
	 * @param application runs what takes part in the application's transactions
	 * @param worker runs what workers do, each statement in a transaction of its own
	 * @param schema the schema of the tables
	 * @param kept which succeeded jobs are kept
	 * @param listener told of what goes back and forth
	 */
	public JobStore(JdbcOperations application, JdbcOperations worker, SchemaName schema, KeptJobs kept,
			StoreListener listener) {
		this.listener = listener;
		this.enqueue = new EnqueueStatement(application, schema, kept);
		this.find = new FindStatement(application, schema);
		this.findCommitted = new FindStatement(worker, schema);
		this.result = new ResultStatement(worker, schema);
		this.batchOfJob = new EnqueueStatement(worker, schema, kept).batch();
		this.wakeUp = new WakeUpStatement(worker, schema);
		this.sweep = new SweepStatement(worker, schema);
		this.claim = new ClaimStatement(worker, schema);
		this.limitedClaim = new LimitedClaimStatement(worker, schema);
		this.limits = new LimitStore(worker, schema);
		this.ripe = new RipeStatement(worker, schema);
		this.payload = new PayloadStatement(worker, schema);
		this.running = new RunningStatement(worker, schema);
		this.progress = new ProgressStatement(worker, schema);
		this.succeed = new SucceedStatement(worker, schema, kept);
		this.succeedInTransaction = SucceedStatement.inTransaction(application, schema, kept);
		this.fail = new FailStatement(worker, schema);
		this.release = new ReleaseStatement(worker, schema);
		this.snooze = new SnoozeStatement(worker, schema);
		this.cancel = new CancelStatement(worker, schema);
		this.leases = new LeasesStatement(worker, schema);
		this.count = new CountStatement(worker, schema);
		this.windows = new WindowStore(worker, schema);
		this.steps = new StepStore(worker, schema);
		this.stepsInTransaction = new StepStore(application, schema);
	}

	/**
	 * Creates the store for those whom nobody listens to.
	 * @param application runs what takes part in the application's transactions
	 * @param worker runs what workers do, each statement in a transaction of its own
	 * @param schema the schema of the tables
	 * @param kept which succeeded jobs are kept
	 */
	public JobStore(JdbcOperations application, JdbcOperations worker, SchemaName schema, KeptJobs kept) {
		this(application, worker, schema, kept, StoreListener.NONE);
	}

	/**
	 * Stores new jobs; one result for each, in order. Jobs with and without unique keys
	 * take a statement each. Jobs that merge take two each, and need a transaction: the
	 * first one locks the job whose payload the second one writes.
	 */
	public List<EnqueueResult> enqueue(List<NewJob> jobs) {
		return this.enqueue.execute(jobs);
	}

	/**
	 * Stores a flow, a few statements. Needs a transaction.
	 * @param name the name of the flow
	 * @param steps its jobs, each after those that it runs after
	 */
	public FlowResult enqueue(String name, List<NewStep> steps) {
		return this.enqueue.execute(name, steps);
	}

	/**
	 * Stores a batch without jobs. Needs a transaction.
	 * @param name the name of the batch
	 * @param open whether it waits to be closed
	 * @param events when each of the callbacks runs
	 * @param callbacks the jobs that run when it is over
	 * @return the id of the batch
	 */
	public long createBatch(String name, boolean open, List<Event> events, List<NewJob> callbacks) {
		return this.enqueue.batch().create(name, open, events, callbacks);
	}

	/**
	 * Keeps a batch from being over until the transaction ends.
	 * @throws io.pgqueue.JobQueueException if it is over, or there is none
	 */
	public void holdBatch(long id) {
		this.enqueue.batch().hold(id);
	}

	/** Stores jobs of a batch that is held or new; one result for each, in order. */
	public List<EnqueueResult> addToBatch(long id, List<NewJob> jobs) {
		return this.enqueue.batch().add(id, jobs);
	}

	/** Lets a batch be over when its jobs are; returns whether it was open. */
	public boolean closeBatch(long id) {
		return this.enqueue.batch().close(id);
	}

	/** How far a batch is. */
	public Optional<BatchProgress> findBatch(long id) {
		return this.enqueue.batch().find(id);
	}

	/** The batch that a job is in, or runs after. */
	public OptionalLong batchOf(long jobId) {
		return this.batchOfJob.ofJob(jobId);
	}

	/** Finds a job, active or finished. */
	public Optional<Job> find(long id) {
		return this.find.execute(id);
	}

	/** Finds a job that is committed, whatever transaction the caller is in. */
	public Optional<Job> findCommitted(long id) {
		return this.findCommitted.execute(id);
	}

	/** The steps of handlers. */
	public StepStore steps() {
		return this.steps;
	}

	/** The steps of transactional handlers. */
	public StepStore stepsInTransaction() {
		return this.stepsInTransaction;
	}

	/** When queues and types are run. */
	public WindowStore windows() {
		return this.windows;
	}

	/** What a step of the flow that a job is in returned. */
	public StepResult resultOfStep(long jobId, String step) {
		return this.result.ofStep(jobId, step);
	}

	/** What a job returned, as JSON, if it is kept. */
	public Optional<String> resultOf(long jobId) {
		return this.result.ofJob(jobId);
	}

	/** Wakes the workers of all processes that listen for these queues. */
	public void wakeUp(Collection<String> queues) {
		this.wakeUp.execute(queues);
		this.listener.notified();
	}

	/** Finds all lanes with queued jobs and where they begin. */
	public Sweep sweep() {
		return sweep(Duration.ZERO);
	}

	/**
	 * Finds all lanes with queued jobs and where they begin.
	 * @param aging how long a job waits beyond its deadline to count as one priority
	 * higher; zero: priorities are strict
	 */
	public Sweep sweep(Duration aging) {
		return this.sweep.execute(aging);
	}

	/** Reads a payload that a claim has deferred; nothing if the lease was lost. */
	public Optional<String> payload(long workerId, Lease lease) {
		return this.payload.execute(workerId, lease);
	}

	/** Leases queued jobs; returns the most urgent first. */
	public List<ClaimedJob> claim(Claim claim) {
		long begin = System.nanoTime();
		List<ClaimedJob> jobs = this.claim.execute(claim);
		this.listener.claimed(jobs, Duration.ofNanos(System.nanoTime() - begin));
		return jobs;
	}

	/**
	 * Leases queued jobs of lanes whose queue or type has a limit, as many as that
	 * allows.
	 */
	public LimitedClaim claimLimited(Claim claim) {
		long begin = System.nanoTime();
		LimitedClaim claimed = this.limitedClaim.execute(claim);
		this.listener.claimed(claimed.jobs(), Duration.ofNanos(System.nanoTime() - begin));
		return claimed;
	}

	/** Tells which lanes wait for more jobs to run them together. */
	public RipeLanes ripe(List<GatheringLane> lanes) {
		return this.ripe.execute(lanes);
	}

	/** The limits, and what lets jobs with limit keys in. */
	public LimitStore limits() {
		return this.limits;
	}

	/** Shows that leased jobs run. */
	public void running(long workerId, Collection<Lease> leases) {
		this.running.execute(workerId, leases);
	}

	/** Shows that a leased job runs; returns whether its lease is still held. */
	public boolean running(long workerId, Lease lease) {
		return this.running.execute(workerId, lease);
	}

	/**
	 * Shows how far leased jobs are; returns the ids of those whose lease is still held.
	 */
	public List<Long> progress(long workerId, List<ProgressReport> reports) {
		return this.progress.execute(workerId, reports);
	}

	/**
	 * Ends jobs that succeeded, one statement for each lease token, and one more for
	 * those that keep their unique key; returns the ids of those whose lease was still
	 * held.
	 */
	public List<Long> succeed(long workerId, Collection<Lease> leases) {
		return succeed(workerId, leases, (released) -> {
		});
	}

	/**
	 * Ends jobs that succeeded, and lets those run that were waiting for them.
	 * @param released told of the queues of jobs that can be claimed now
	 */
	public List<Long> succeed(long workerId, Collection<Lease> leases, Consumer<String> released) {
		return this.succeed.execute(workerId, leases, released);
	}

	/**
	 * Ends jobs that succeeded and have results, a few statements; returns the ids of
	 * those whose lease was still held. Results are kept if succeeded jobs are, or others
	 * wait for them.
	 */
	public List<Long> succeed(long workerId, Map<Lease, String> results) {
		return succeed(workerId, results, (released) -> {
		});
	}

	/**
	 * Ends jobs that succeeded and have results, and lets those run that were waiting for
	 * them.
	 * @param released told of the queues of jobs that can be claimed now
	 */
	public List<Long> succeed(long workerId, Map<Lease, String> results, Consumer<String> released) {
		return this.succeed.execute(workerId, results, released);
	}

	/**
	 * Ends a job that succeeded in the transaction of the calling thread, which is to be
	 * committed at once, or rolled back if this returns false: the lease was lost. Until
	 * then nobody else can end, recover or cancel the job.
	 */
	public boolean succeedInTransaction(long workerId, Lease lease, @Nullable String result) {
		return succeedInTransaction(workerId, lease, result, (released) -> {
		});
	}

	/**
	 * The same, and lets those run that were waiting for it.
	 * @param released told of the queues of jobs that can be claimed after the commit
	 */
	public boolean succeedInTransaction(long workerId, Lease lease, @Nullable String result,
			Consumer<String> released) {
		return !((result != null) ? this.succeedInTransaction.execute(workerId, Map.of(lease, result), released)
				: this.succeedInTransaction.execute(workerId, List.of(lease), released))
			.isEmpty();
	}

	/** Ends failed attempts; returns the ids of those whose lease was still held. */
	public List<Long> fail(long workerId, Collection<Failure> failures) {
		return this.fail.execute(workerId, failures);
	}

	/** Hands jobs back; returns the ids of those whose lease was still held. */
	public List<Long> release(long workerId, Collection<Lease> leases) {
		return this.release.execute(workerId, leases);
	}

	/** Puts jobs off; returns the ids of those whose lease was still held. */
	public List<Long> snooze(long workerId, Collection<Snooze> snoozes) {
		return this.snooze.execute(workerId, snoozes);
	}

	/** Ends leased jobs as cancelled; returns the ids of those whose lease was held. */
	public List<Long> cancel(long workerId, Collection<Lease> leases) {
		return this.cancel.execute(workerId, leases);
	}

	/** The leases of a worker whose jobs are to be cancelled. */
	public List<Lease> cancelRequested(long workerId) {
		return this.cancel.requested(workerId);
	}

	/** The leases that a worker holds. */
	public List<Lease> leases(long workerId) {
		return this.leases.execute(workerId);
	}

	/** Counts the active jobs by queue and state. */
	public List<JobCount> count() {
		return this.count.execute();
	}

}

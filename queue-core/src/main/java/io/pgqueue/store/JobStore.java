package io.pgqueue.store;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

import io.pgqueue.EnqueueResult;
import io.pgqueue.FlowResult;
import io.pgqueue.Job;
import io.pgqueue.schema.SchemaName;
import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.JdbcOperations;

/**
 * The jobs, until a worker holds them: how they are stored, found, woken for and claimed.
 * What becomes of them then stands in {@link LeaseStore}. Every method is one statement
 * unless it says otherwise. All methods throw {@link DataAccessException} when the
 * database refuses or is away.
 */
public final class JobStore {

	private final EnqueueStatement enqueue;

	private final BatchStore batches;

	private final LeaseStore leases;

	private final FindStatement find;

	private final FindStatement findCommitted;

	private final ResultStatement result;

	private final WakeUpStatement wakeUp;

	private final SweepStatement sweep;

	private final ClaimStatement claim;

	private final LimitedClaimStatement limitedClaim;

	private final LimitStore limits;

	private final RipeStatement ripe;

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
		this.batches = new BatchStore(this.enqueue.batch(), new EnqueueStatement(worker, schema, kept).batch());
		this.leases = new LeaseStore(application, worker, schema, kept);
		this.find = new FindStatement(application, schema);
		this.findCommitted = new FindStatement(worker, schema);
		this.result = new ResultStatement(worker, schema);
		this.wakeUp = new WakeUpStatement(worker, schema);
		this.sweep = new SweepStatement(worker, schema);
		this.claim = new ClaimStatement(worker, schema);
		this.limitedClaim = new LimitedClaimStatement(worker, schema);
		this.limits = new LimitStore(worker, schema);
		this.ripe = new RipeStatement(worker, schema);
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

	/** Finds a job, active or finished. */
	public Optional<Job> find(long id) {
		return this.find.execute(id);
	}

	/** Finds a job that is committed, whatever transaction the caller is in. */
	public Optional<Job> findCommitted(long id) {
		return this.findCommitted.execute(id);
	}

	/**
	 * Reads a committed job; its payload and result are cut after so many characters, and
	 * then say how many they have.
	 */
	public Optional<Job> findCommitted(long id, int longest) {
		return this.findCommitted.execute(id, longest);
	}

	/** Batches, and which jobs are in them. */
	public BatchStore batches() {
		return this.batches;
	}

	/** What becomes of jobs that workers hold. */
	public LeaseStore leases() {
		return this.leases;
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

	/** Leases queued jobs. */
	public Claimed claim(Claim claim) {
		long begin = System.nanoTime();
		Claimed claimed = this.claim.execute(claim);
		this.listener.claimed(claimed.jobs(), Duration.ofNanos(System.nanoTime() - begin));
		return claimed;
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

	/** Counts the active jobs by queue and state. */
	public List<JobCount> count() {
		return this.count.execute();
	}

}

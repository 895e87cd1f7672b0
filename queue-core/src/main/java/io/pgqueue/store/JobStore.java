package io.pgqueue.store;

import java.time.Duration;
import java.time.LocalDate;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

import io.pgqueue.EnqueueResult;
import io.pgqueue.Job;
import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.JdbcOperations;

/**
 * The queue's tables. Every method is one statement unless it says otherwise; what
 * happens between a job's enqueue and its end stands here in the order in which it
 * happens. All methods throw {@link DataAccessException} when the database refuses or is
 * away.
 */
public final class JobStore {

	private final EnqueueStatement enqueue;

	private final FindStatement find;

	private final SweepStatement sweep;

	private final ClaimStatement claim;

	private final RunningStatement running;

	private final SucceedStatement succeed;

	private final FailStatement fail;

	private final ReleaseStatement release;

	private final WorkerStatements workers;

	private final RecoverStatement recover;

	private final MaintenanceStatements maintenance;

	private final CountStatement count;

	private final WakeUpStatement wakeUp;

	private final String schema;

	/**
	 * Creates the store.
	 * @param application runs what takes part in the application's transactions
	 * @param worker runs what workers do, each statement in a transaction of its own
	 * @param schema the schema of the tables
	 * @param keepHistory whether succeeded jobs are kept
	 */
	public JobStore(JdbcOperations application, JdbcOperations worker, String schema, boolean keepHistory) {
		this.schema = schema;
		this.enqueue = new EnqueueStatement(application, schema);
		this.find = new FindStatement(application, schema);
		this.sweep = new SweepStatement(worker, schema);
		this.claim = new ClaimStatement(worker, schema);
		this.running = new RunningStatement(worker, schema);
		this.succeed = new SucceedStatement(worker, schema, keepHistory);
		this.fail = new FailStatement(worker, schema);
		this.release = new ReleaseStatement(worker, schema);
		this.workers = new WorkerStatements(worker, schema);
		this.recover = new RecoverStatement(worker, schema);
		this.maintenance = new MaintenanceStatements(worker, schema);
		this.count = new CountStatement(worker, schema);
		this.wakeUp = new WakeUpStatement(worker, schema);
	}

	/** The schema of the tables. */
	public String schema() {
		return this.schema;
	}

	/**
	 * Stores new jobs; one result for each, in order. Two statements if keys are taken.
	 */
	public List<EnqueueResult> enqueue(List<NewJob> jobs) {
		return this.enqueue.execute(jobs);
	}

	/** Finds a job, active or finished. */
	public Optional<Job> find(long id) {
		return this.find.execute(id);
	}

	/** Wakes the workers of all processes that listen for these queues. */
	public void wakeUp(Collection<String> queues) {
		this.wakeUp.execute(queues);
	}

	/** Makes scheduled jobs that are due claimable, at most {@code limit}. */
	public List<PromotedJobs> promote(int limit) {
		return this.maintenance.promote(limit);
	}

	/** The time until the next scheduled job is due. */
	public Optional<Duration> nextDue() {
		return this.maintenance.nextDue();
	}

	/** Registers a worker and returns its id. */
	public long register(WorkerIdentity identity) {
		return this.workers.register(identity);
	}

	/** Keeps all leases of a worker; {@code false}: it was given up and must stop. */
	public boolean heartbeat(long workerId) {
		return this.workers.heartbeat(workerId);
	}

	/** Finds all lanes with queued jobs and where they begin. */
	public List<LaneHead> sweep() {
		return this.sweep.execute();
	}

	/** Leases queued jobs; the most urgent first. */
	public List<ClaimedJob> claim(Claim claim) {
		return this.claim.execute(claim);
	}

	/** Shows that leased jobs run. */
	public void running(long workerId, Collection<Lease> leases) {
		this.running.execute(workerId, leases);
	}

	/**
	 * Ends jobs that succeeded, one statement for each lease token; returns the ids of
	 * those whose lease was still held.
	 */
	public List<Long> succeed(long workerId, Collection<Lease> leases) {
		return this.succeed.execute(workerId, leases);
	}

	/** Ends failed attempts; returns the ids of those whose lease was still held. */
	public List<Long> fail(long workerId, Collection<Failure> failures) {
		return this.fail.execute(workerId, failures);
	}

	/** Hands jobs back; returns the ids of those whose lease was still held. */
	public List<Long> release(long workerId, Collection<Lease> leases) {
		return this.release.execute(workerId, leases);
	}

	/** Removes a worker that holds no leases. */
	public void unregister(long workerId) {
		this.workers.unregister(workerId);
	}

	/**
	 * Gives up workers that are dead.
	 * @param lease how old a heartbeat must be
	 * @param grace how old it must be if the worker's session is gone
	 */
	public List<DeadWorker> bury(Duration lease, Duration grace) {
		return this.workers.bury(lease, grace);
	}

	/** Takes jobs from workers that do not live, at most {@code limit}. */
	public List<RecoveredJob> recover(int maxAttempts, int limit) {
		return this.recover.execute(maxAttempts, limit);
	}

	/** Removes the rows of workers that died a day ago. */
	public int forgetDeadWorkers() {
		return this.workers.forget();
	}

	/** Returns true for one process of the cluster for each interval. */
	public boolean take(String task, Duration interval) {
		return this.maintenance.take(task, interval);
	}

	/** The database's day, by UTC. */
	public LocalDate today() {
		return this.maintenance.today();
	}

	/** The days that have a partition of finished jobs. */
	public List<HistoryPartition> partitions() {
		return this.maintenance.partitions().stream().map(HistoryPartition::named).flatMap(Optional::stream).toList();
	}

	/** Creates the partition of a day; needs the right to create tables. */
	public void createPartition(HistoryPartition partition) {
		this.maintenance.createPartition(partition);
	}

	/** Drops the finished jobs of a day; needs to own the table. */
	public void dropPartition(HistoryPartition partition) {
		this.maintenance.dropPartition(partition);
	}

	/** Deletes old finished jobs that are in no partition of a day. */
	public int deleteFinished(Duration age, int limit) {
		return this.maintenance.deleteFinished(age, limit);
	}

	/** Deletes jobs that failed for good long ago. */
	public int deleteFailed(Duration age, int limit) {
		return this.maintenance.deleteFailed(age, limit);
	}

	/** Deletes records of failed attempts. */
	public int deleteFailures(Duration age, int limit) {
		return this.maintenance.deleteFailures(age, limit);
	}

	/** Counts the active jobs by queue and state. */
	public List<JobCount> count() {
		return this.count.execute();
	}

}

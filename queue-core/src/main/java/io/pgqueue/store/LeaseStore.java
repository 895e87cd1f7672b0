package io.pgqueue.store;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

import io.pgqueue.schema.SchemaName;
import org.jspecify.annotations.Nullable;
import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.JdbcOperations;

/**
 * The jobs that workers hold, from the claim to their end. Every method names the worker
 * and the leases, and changes nothing about a job whose lease was lost. Every method is
 * one statement unless it says otherwise. All methods throw {@link DataAccessException}
 * when the database refuses or is away.
 */
public final class LeaseStore {

	private final PayloadStatement payload;

	private final RunningStatement running;

	private final ProgressStatement progress;

	private final SucceedStatement succeed;

	private final SucceedStatement succeedInTransaction;

	private final FailStatement fail;

	private final ReleaseStatement release;

	private final SnoozeStatement snooze;

	private final CancelStatement cancel;

	private final LeasesStatement held;

	private final LockedStatement locked;

	/**
	 * Creates the store.
	 * @param application runs what takes part in the application's transactions
	 * @param worker runs what workers do, each statement in a transaction of its own
	 * @param schema the schema of the tables
	 * @param kept which succeeded jobs are kept
	 */
	LeaseStore(JdbcOperations application, JdbcOperations worker, SchemaName schema, KeptJobs kept) {
		this.payload = new PayloadStatement(worker, schema);
		this.running = new RunningStatement(worker, schema);
		this.progress = new ProgressStatement(worker, schema);
		this.succeed = new SucceedStatement(worker, schema, kept);
		this.succeedInTransaction = SucceedStatement.inTransaction(application, schema, kept);
		this.fail = new FailStatement(worker, schema);
		this.release = new ReleaseStatement(worker, schema);
		this.snooze = new SnoozeStatement(worker, schema);
		this.cancel = new CancelStatement(worker, schema);
		this.held = new LeasesStatement(worker, schema);
		this.locked = new LockedStatement(worker, schema);
	}

	/**
	 * Reads a payload that a claim has deferred; nothing if the lease was lost.
	 * @param mostBytes a longer one stays in the database
	 */
	public Optional<StoredPayload> payload(long workerId, Lease lease, long mostBytes) {
		return this.payload.execute(workerId, lease, mostBytes);
	}

	/**
	 * Shows that leased jobs run; returns the ids of those that are shown now. Others are
	 * locked at the moment, or their lease was lost.
	 */
	public List<Long> running(long workerId, Collection<Lease> leases) {
		return this.running.execute(workerId, leases);
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

	/** Whether the attempt of that lease was the last of its job and has failed. */
	public boolean hasFailed(Lease lease) {
		return this.fail.isOver(lease);
	}

	/** The ids of leased jobs whose rows somebody else has locked; waits for no lock. */
	public List<Long> locked(long workerId, Collection<Lease> leases) {
		return this.locked.execute(workerId, leases);
	}

	/** The leases of a worker whose jobs are to be cancelled. */
	public List<Lease> cancelRequested(long workerId) {
		return this.cancel.requested(workerId);
	}

	/**
	 * The leases that a worker holds. Claims of which nothing is held any more are
	 * dropped.
	 */
	public List<Lease> of(long workerId) {
		return this.held.execute(workerId);
	}

}

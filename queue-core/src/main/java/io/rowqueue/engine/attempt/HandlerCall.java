package io.rowqueue.engine.attempt;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeoutException;
import java.util.function.BiConsumer;

import io.rowqueue.PayloadCodec;
import io.rowqueue.StopReason;
import io.rowqueue.engine.database.JobTransactions;
import io.rowqueue.engine.database.QueueDatabase;
import io.rowqueue.engine.database.QueueDatabases;
import io.rowqueue.engine.handler.HandlerRegistry;
import io.rowqueue.engine.handler.PendingJob;
import io.rowqueue.engine.handler.RegisteredHandler;
import io.rowqueue.engine.job.BatchStore;
import io.rowqueue.engine.job.JobStore;
import io.rowqueue.engine.lease.Lease;
import io.rowqueue.engine.lease.LeaseStore;
import io.rowqueue.engine.lease.SuccessStore;
import io.rowqueue.engine.signal.Wait;
import io.rowqueue.engine.signal.WaitStore;
import io.rowqueue.engine.support.ThreadState;
import io.rowqueue.engine.wakeup.Arrivals;
import org.jspecify.annotations.Nullable;

/** Calls the handler of a job, in a transaction if it is a transactional one. */
public final class HandlerCall {

	private final HandlerRegistry handlers;

	private final SuccessStore successes;

	private final @Nullable JobTransactions transactions;

	private final Steps steps;

	private final Waits waits;

	private final ReportWriter reports;

	private final JobQueries otherJobs;

	private final long workerId;

	private final BiConsumer<ActiveJob, Arrivals.Builder> committed;

	/**
	 * Creates the call.
	 * @param committed takes jobs whose outcome the transaction of their handler has
	 * written, and the jobs that waited for them
	 */
	public HandlerCall(AttemptParts parts, long workerId, BiConsumer<ActiveJob, Arrivals.Builder> committed) {
		QueueDatabases databases = parts.databases();
		QueueDatabase worker = databases.worker();
		PayloadCodec codec = parts.handlers().codec();
		JobStore jobs = new JobStore(databases);
		this.handlers = parts.handlers();
		this.successes = SuccessStore.inTransaction(databases.application(), parts.kept());
		this.transactions = parts.transactions();
		this.steps = new Steps(databases, parts.caller(), codec, workerId, parts.listener());
		this.waits = new Waits(new WaitStore(worker), jobs, this.steps, codec, workerId);
		this.reports = new ReportWriter(new LeaseStore(worker), workerId);
		this.otherJobs = new JobQueries(jobs, new BatchStore(databases, parts.kept()), codec);
		this.workerId = workerId;
		this.committed = committed;
	}

	/**
	 * Calls the handler with one job, or with all jobs of a coalesced call.
	 * @param errors takes the errors of the jobs that a coalesced call marks as failed
	 */
	Returned call(List<ActiveJob> jobs, Map<ActiveJob, Throwable> errors) throws Exception {
		ActiveJob first = jobs.get(0);
		RegisteredHandler handler = this.handlers.find(first.type()).orElse(null);
		if (handler == null) {
			throw new IllegalStateException("no handler for the type '" + first.type() + "'");
		}
		if (first.options().coalescing() != null) {
			return callTogether(handler, jobs, errors);
		}
		if (this.transactions != null && handler.options().transactional()) {
			callInTransaction(handler, first, this.transactions);
			return Returned.WRITTEN;
		}
		first.giveAccess(this.steps, this.otherJobs, this.waits);
		return new Returned(call(handler, first), false);
	}

	private Returned callTogether(RegisteredHandler handler, List<ActiveJob> jobs, Map<ActiveJob, Throwable> errors)
			throws Exception {
		List<PendingJob> pending = new ArrayList<>(jobs.size());
		for (ActiveJob job : jobs) {
			job.giveAccess(this.steps, this.otherJobs, null);
			pending.add(new PendingJob(job.payload(), job.context(), (error) -> errors.put(job, error)));
		}
		ThreadState before = ThreadState.current();
		try {
			handler.runTogether(pending);
		}
		catch (Throwable ex) {
			before.restore();
			throw ex;
		}
		checkLeft(before, jobs.get(0));
		checkTimeout(jobs.get(0));
		return Returned.NOTHING;
	}

	private void callInTransaction(RegisteredHandler handler, ActiveJob job, JobTransactions transactions)
			throws Exception {
		job.giveAccess(this.steps, this.otherJobs, this.waits);
		Arrivals.Builder released = new Arrivals.Builder();
		new TransactionalCall(job, () -> Optional.ofNullable(call(handler, job)),
				(result) -> end(job, result.orElse(null), released))
			.run(transactions);
		this.committed.accept(job, released);
	}

	private @Nullable String call(RegisteredHandler handler, ActiveJob job) throws Exception {
		ThreadState before = ThreadState.current();
		@Nullable String result;
		try {
			result = handler.run(job.payload(), job.context());
		}
		catch (Throwable ex) {
			before.restore();
			throw ex;
		}
		job.end(); // a request to stop comes too late for an attempt that has ended
		checkLeft(before, job);
		checkTimeout(job);
		checkWait(job);
		return result;
	}

	/** A handler that has not ended its transaction has written nothing. */
	private static void checkLeft(ThreadState before, ActiveJob job) {
		String left = before.restore();
		if (left != null) {
			throw new IllegalStateException(
					("The handler of the type '%s' has returned and left %s on its thread, which"
							+ " would swallow what later jobs write. It was ended, and what the handler wrote in it is lost. End what"
							+ " the handler begins before it returns: use @Transactional or a TransactionTemplate, or close it in a"
							+ " finally block")
						.formatted(job.type(), left));
		}
	}

	/** A handler that ignores the interrupt may have done half of its work. */
	private static void checkTimeout(ActiveJob job) throws TimeoutException {
		TimeoutException timeout = job.timeout();
		if (timeout != null) {
			throw timeout;
		}
	}

	/** A handler that catches the exception of a wait has not done its work. */
	private static void checkWait(ActiveJob job) {
		Wait wait = job.pendingWait();
		if (wait != null) {
			throw Waits.suspended(wait);
		}
	}

	/**
	 * Not at the beginning: to hold the job's row while the handler runs would keep the
	 * others from recovering or cancelling it.
	 */
	private void end(ActiveJob job, @Nullable String result, Arrivals.Builder released) {
		this.reports.writeLast(List.of(job)); // while the lease is held
		Lease lease = job.job().lease();
		Map<Lease, String> results = (result != null) ? Map.of(lease, result) : Map.of();
		if (this.successes.succeed(this.workerId, List.of(lease), results, released::add).isEmpty()) {
			throw leaseLost(job);
		}
	}

	private static IllegalStateException leaseLost(ActiveJob job) {
		job.askToStop(StopReason.LEASE_LOST);
		return new IllegalStateException("the lease was lost");
	}

	/**
	 * What a handler returned.
	 *
	 * @param result to be kept with the job; {@code null}: none
	 * @param written whether the outcome of the job has been written with it
	 */
	record Returned(@Nullable String result, boolean written) {

		static final Returned NOTHING = new Returned(null, false);

		static final Returned WRITTEN = new Returned(null, true);

	}

}

package io.pgqueue.engine.worker;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;

import io.pgqueue.StopReason;
import io.pgqueue.engine.database.JobTransactions;
import io.pgqueue.engine.handler.HandlerRegistry;
import io.pgqueue.engine.handler.RegisteredHandler;
import io.pgqueue.engine.lease.SuccessStore;
import io.pgqueue.engine.wakeup.Arrivals;
import io.pgqueue.engine.wakeup.JobEndings;
import io.pgqueue.engine.wakeup.WakeUps;
import io.pgqueue.engine.window.WindowStore;
import io.pgqueue.engine.worker.Outcome.Succeeded;
import org.jspecify.annotations.Nullable;

/** Calls the handler of a job, in a transaction if it is a transactional one. */
final class HandlerCall {

	private final HandlerRegistry handlers;

	private final SuccessStore successes;

	private final WindowStore windows;

	private final @Nullable JobTransactions transactions;

	private final Steps steps;

	private final Steps stepsInTransaction;

	private final ProgressWriter progress;

	private final JobEndings endings;

	private final WakeUps wakeUps;

	private final OtherJobs otherJobs;

	private final long workerId;

	private final Consumer<ActiveJob> committed;

	HandlerCall(WorkerParts parts, long workerId) {
		this(parts, workerId, (job) -> {
		});
	}

	/**
	 * Creates the call.
	 * @param committed told of jobs that have ended in the transaction of their handler
	 */
	HandlerCall(WorkerParts parts, long workerId, Consumer<ActiveJob> committed) {
		this.committed = committed;
		this.handlers = parts.handlers();
		RunDatabase database = parts.stores().runs();
		this.successes = database.successesInTransaction();
		this.windows = database.windows();
		this.transactions = parts.transactions();
		this.workerId = workerId;
		this.steps = new Steps(database.steps(), parts.handlers().codec(), workerId, parts.hooks().store());
		this.stepsInTransaction = new Steps(database.stepsInTransaction(), parts.handlers().codec(), workerId,
				parts.hooks().store());
		this.wakeUps = parts.wakeUps();
		this.endings = parts.endings();
		this.otherJobs = new OtherJobs(database.jobs(), database.batches(), parts.handlers().codec());
		this.progress = new ProgressWriter(parts.stores().leases().leases(), workerId);
	}

	/** Lets a job ask about others. */
	void introduce(ActiveJob job) {
		job.knows(this.otherJobs);
	}

	/** Where the windows are that jobs have of their own. */
	WindowStore windows() {
		return this.windows;
	}

	/** The handler of a job. */
	RegisteredHandler handler(ActiveJob job) {
		return this.handlers.find(job.type())
			.orElseThrow(() -> new IllegalStateException("no handler for the type '" + job.type() + "'"));
	}

	/** Lets the handler record steps outside of a transaction. */
	void recordSteps(ActiveJob job) {
		job.steps(this.steps);
	}

	/** Returns what is still to be written down: nothing, if it was in a transaction. */
	Optional<Outcome> run(ActiveJob job, @Nullable String payload) throws Exception {
		RegisteredHandler handler = handler(job);
		if (this.transactions != null && handler.options().transactional()) {
			job.steps(this.stepsInTransaction);
			Arrivals.Builder released = new Arrivals.Builder();
			new TransactionalCall(job, () -> Optional.ofNullable(call(handler, job, payload)),
					(result) -> end(job, result.orElse(null), released))
				.run(this.transactions);
			this.endings.ended(job.id());
			this.wakeUps.jobsArrived(released.build());
			this.committed.accept(job);
			return Optional.empty();
		}
		recordSteps(job);
		return Optional.of(new Succeeded(job, call(handler, job, payload)));
	}

	private @Nullable String call(RegisteredHandler handler, ActiveJob job, @Nullable String payload) throws Exception {
		introduce(job);
		String result = handler.run(payload, job);
		job.end(); // a request to stop comes too late for what is done
		TimeoutException timeout = job.timeout();
		if (timeout != null) { // it may have swallowed the interrupt, its work half done
			throw timeout;
		}
		return result;
	}

	/**
	 * Not at the beginning: to hold the job's row while the handler runs would keep the
	 * others from recovering or cancelling it.
	 */
	private void end(ActiveJob job, @Nullable String result, Arrivals.Builder released) {
		this.progress.write(List.of(job)); // while the lease is held
		if (!this.successes.succeed(this.workerId, job.job().lease(), result, released::add)) {
			throw leaseLost(job);
		}
	}

	private static IllegalStateException leaseLost(ActiveJob job) {
		job.askToStop(StopReason.LEASE_LOST);
		return new IllegalStateException("the lease was lost");
	}

}

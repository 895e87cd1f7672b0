package io.pgqueue.engine.worker;

import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

import io.pgqueue.PayloadConversionException;
import io.pgqueue.StopReason;
import io.pgqueue.engine.lease.LeaseStore;
import io.pgqueue.engine.lease.LeaseStore.StoredPayload;
import io.pgqueue.engine.support.ErrorText;
import io.pgqueue.engine.support.JobLog;
import io.pgqueue.engine.worker.Outcome.Cancelled;
import io.pgqueue.engine.worker.Outcome.Released;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.springframework.dao.DataAccessException;
import org.springframework.util.unit.DataSize;

/** Runs a job's handler in the calling thread and tells how it ended. */
final class JobRunner {

	private static final Logger logger = JobLog.logger();

	private final HandlerCall handler;

	private final Judge judge;

	private final LeaseStore store;

	private final DataSize maxPayloadSize;

	private final long workerId;

	private final WorkerHooks hooks;

	private final BooleanSupplier leaseIsSure;

	private final CoalescedCall together;

	private final OwnWindows windows;

	/**
	 * Creates the runner.
	 * @param maxPayloadSize the longest payload that is read
	 * @param leaseIsSure whether nobody else can have been given the worker's jobs
	 */
	JobRunner(HandlerCall handler, Judge judge, LeaseStore store, DataSize maxPayloadSize, long workerId,
			WorkerHooks hooks, BooleanSupplier leaseIsSure) {
		this.handler = handler;
		this.judge = judge;
		this.store = store;
		this.maxPayloadSize = maxPayloadSize;
		this.workerId = workerId;
		this.hooks = hooks;
		this.leaseIsSure = leaseIsSure;
		this.together = new CoalescedCall(handler, judge, hooks);
		this.windows = new OwnWindows(handler.windows(), judge);
	}

	/**
	 * Runs a job, or those that run in one call with it.
	 * @param finished takes what to write down: nothing if that is done, or if a job is
	 * another worker's by now
	 */
	void run(ActiveJob job, Consumer<Outcome> finished) {
		try {
			runOrPutOff(job, finished);
		}
		catch (Throwable ex) { // not from a handler: the slot lives on all the same
			logger.error("{} could not be run", job, ex);
			job.together()
				.stream()
				.filter(ActiveJob::conclude)
				.forEach((each) -> this.judge.judge(each, ex).ifPresent(finished));
		}
	}

	private void runOrPutOff(ActiveJob job, Consumer<Outcome> finished) {
		if (job.options().coalescing() == null) {
			if (isToRun(job, finished) && (job.window() == null || this.windows.look().isOpen(job, finished))
					&& hasPayload(job, finished)) {
				run(job, job.payload()).ifPresent(finished);
			}
			return;
		}
		OwnWindows.Look look = this.windows.look();
		List<ActiveJob> jobs = job.together()
			.stream()
			.filter((each) -> isToRun(each, finished) && look.isOpen(each, finished) && hasPayload(each, finished))
			.toList();
		if (!jobs.isEmpty()) {
			this.together.run(jobs, finished);
		}
	}

	private boolean isToRun(ActiveJob job, Consumer<Outcome> instead) {
		if (job.job().cancelRequested() || job.stopReason() == StopReason.CANCELLED) {
			logger.info("{} was cancelled before it began", job);
			this.judge.cancelled(job);
			instead.accept(new Cancelled(job));
			return false;
		}
		if (!this.leaseIsSure.getAsBoolean()) {
			logger.info("{} goes back to the queue: this process was not heard of for so long that others may run it",
					job);
			release(job, instead);
			return false;
		}
		if (job.hasComeBack() && !show(job)) {
			release(job, instead);
			return false;
		}
		return true;
	}

	/** The attempt does not take place. */
	static void release(ActiveJob job, Consumer<Outcome> instead) {
		if (job.conclude()) {
			instead.accept(new Released(job));
		}
	}

	private boolean hasPayload(ActiveJob job, Consumer<Outcome> instead) {
		if (job.job().payloadDeferred()) {
			@Nullable StoredPayload payload = deferredPayload(job);
			if (payload == null) {
				release(job, instead);
				return false;
			}
			if (payload.json() == null) {
				if (job.conclude()) {
					this.judge.judge(job, tooLong(payload)).ifPresent(instead);
				}
				return false;
			}
			job.payload(payload.json());
		}
		return true;
	}

	private PayloadConversionException tooLong(StoredPayload payload) {
		return new PayloadConversionException("The payload has %d bytes, more than pgqueue.worker.max-payload-size: %d"
			.formatted(payload.bytes(), this.maxPayloadSize.toBytes()), null);
	}

	private Optional<Outcome> run(ActiveJob job, @Nullable String payload) {
		job.begin();
		OpenScopes scopes = new OpenScopes();
		try {
			scopes.open(this.hooks.scopes(), job);
			this.hooks.listener().started(job, job.sinceDue());
			Optional<Outcome> outcome = this.hooks.around(job, () -> this.handler.run(job, payload));
			logger.debug("{} has run", job);
			if (!job.conclude()) {
				return Optional.empty();
			}
			this.judge.succeeded(job);
			return outcome;
		}
		catch (Throwable ex) { // whatever it was, the slot lives on and the job knows
			scopes.failed(ex);
			return job.conclude() ? this.judge.judge(job, ex) : Optional.empty();
		}
		finally {
			job.end();
			scopes.close();
		}
	}

	/**
	 * Has the database show that the job runs, before it can do harm: if it kills this
	 * process, that costs an attempt. Other jobs are shown when they have run for a
	 * while.
	 */
	private boolean show(ActiveJob job) {
		try {
			boolean held = this.store.running(this.workerId, job.job().lease());
			if (held) {
				job.shown();
			}
			return held;
		}
		catch (RuntimeException ex) {
			logger.warn("{} is handed back: the database cannot be told that it runs. {}", job, ErrorText.summary(ex));
			return false;
		}
	}

	/** Nothing if it cannot be read now, or is another worker's by now. */
	private @Nullable StoredPayload deferredPayload(ActiveJob job) {
		try {
			return this.store.payload(this.workerId, job.job().lease(), this.maxPayloadSize.toBytes()).orElse(null);
		}
		catch (DataAccessException ex) {
			logger.info("{} goes back to the queue: its payload could not be read: {}", job, ErrorText.summary(ex));
			return null;
		}
	}

}

package io.rowqueue.engine.attempt;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

import io.rowqueue.masking.StoredTextMasker;
import io.rowqueue.engine.attempt.HandlerCall.Returned;
import io.rowqueue.engine.attempt.AttemptOutcome.Succeeded;
import io.rowqueue.engine.support.IgnoredFailures;
import io.rowqueue.engine.support.JobLog;
import io.rowqueue.engine.support.ThreadState;
import io.rowqueue.listen.JobListener;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs an attempt in the calling thread: one call of a handler, with one job or, where a
 * type is coalesced, with several, each of which is judged on its own. The first job has
 * the thread: its timeout is that of the call, and scopes and interceptors see the call
 * as its.
 * <p>
 * This runs once for each job, and mostly for one: loops instead of lambdas are less code
 * for a JVM that has just been started.
 */
public final class JobRunner {

	private static final Logger logger = JobLog.logger();

	private final IgnoredFailures scopeFailures = new IgnoredFailures(LoggerFactory.getLogger(OpenScopes.class));

	private final AttemptGate gate;

	private final HandlerCall handlers;

	private final Judge judge;

	private final WorkerHooks hooks;

	public JobRunner(AttemptGate gate, HandlerCall handlers, Judge judge, WorkerHooks hooks) {
		this.gate = gate;
		this.handlers = handlers;
		this.judge = judge;
		this.hooks = hooks;
	}

	/**
	 * Runs a job, and those that run in one call with it.
	 * @param finished takes the outcomes that are still to be written: none for a job
	 * whose outcome its transaction has written, or whose lease is lost
	 */
	public void run(ActiveJob job, Consumer<AttemptOutcome> finished) {
		ThreadState before = ThreadState.current();
		if (this.hooks.masker() != StoredTextMasker.NONE) {
			job.together().forEach((each) -> each.reports().maskWith(this.hooks.masker()));
		}
		try {
			List<ActiveJob> jobs = this.gate.admit(job.together(), finished);
			if (!jobs.isEmpty()) {
				for (AttemptOutcome outcome : attempt(jobs)) {
					finished.accept(outcome);
				}
			}
		}
		catch (Throwable ex) { // not from a handler; the slot must survive all the same
			job.together()
				.stream()
				.filter(ActiveJob::conclude)
				.forEach((each) -> this.judge.judge(each, ex).ifPresent(finished));
			logger.error("{} could not be run", job, ex);
		}
		finally {
			this.gate.ended(job.together());
			before.restoreAfter(job);
		}
	}

	private List<AttemptOutcome> attempt(List<ActiveJob> jobs) {
		ActiveJob first = jobs.get(0);
		Map<ActiveJob, Throwable> errors = (first.options().coalescing() != null) ? new ConcurrentHashMap<>()
				: Map.of();
		begin(jobs);
		OpenScopes scopes = new OpenScopes(this.scopeFailures);
		try {
			scopes.open(this.hooks.scopes(), first.context());
			reportStarted(jobs);
			Returned returned = this.hooks.around(first.context(), () -> this.handlers.call(jobs, errors));
			logger.debug("{} returned", first);
			return returned(jobs, returned, errors);
		}
		catch (Throwable ex) {
			// also an error: the slot continues, and the job needs an outcome
			scopes.failed(ex);
			return failed(jobs, ex, errors);
		}
		finally {
			end(jobs);
			scopes.close();
			countDroppedLines(jobs);
		}
	}

	private void reportStarted(List<ActiveJob> jobs) {
		if (this.hooks.listener() != JobListener.NONE) {
			ThreadState before = ThreadState.current();
			for (ActiveJob job : jobs) {
				this.hooks.listener().started(job.context(), job.sinceDue());
			}
			before.restoreAfter(this.hooks.listener());
		}
	}

	private static void end(List<ActiveJob> jobs) {
		for (ActiveJob job : jobs) {
			job.end();
		}
	}

	private void countDroppedLines(List<ActiveJob> jobs) {
		for (ActiveJob job : jobs) {
			int dropped = job.reports().droppedLines();
			if (dropped > 0) {
				this.hooks.store().logLinesDropped(job.queue(), job.type(), dropped);
			}
		}
	}

	private static void begin(List<ActiveJob> jobs) {
		jobs.get(0).begin();
		for (int job = 1; job < jobs.size(); job++) {
			jobs.get(job).beginBeside();
		}
	}

	/** The handler returned; it may have marked jobs of a coalesced call as failed. */
	private List<AttemptOutcome> returned(List<ActiveJob> jobs, Returned returned, Map<ActiveJob, Throwable> errors) {
		List<AttemptOutcome> outcomes = new ArrayList<>(jobs.size());
		for (ActiveJob job : jobs) {
			Throwable error = errors.get(job);
			if (!job.conclude()) {
				continue;
			}
			if (error != null) {
				this.judge.judge(job, error).ifPresent(outcomes::add);
				continue;
			}
			this.judge.succeeded(job);
			if (!returned.written()) {
				outcomes.add(new Succeeded(job, returned.result()));
			}
		}
		return outcomes;
	}

	/** Judged before the attempt ends: the interrupt of the thread can still be seen. */
	private List<AttemptOutcome> failed(List<ActiveJob> jobs, Throwable thrown, Map<ActiveJob, Throwable> errors) {
		List<AttemptOutcome> outcomes = new ArrayList<>(jobs.size());
		Throwable common = thrown;
		for (ActiveJob job : jobs) {
			Throwable error = errors.getOrDefault(job, common);
			if (job.conclude()) {
				this.judge.judge(job, error).ifPresent(outcomes::add);
			}
			// the first job has the timeout of the call, which is that of all
			Throwable timeout = jobs.get(0).timeout();
			common = (timeout != null) ? timeout : common;
		}
		return outcomes;
	}

}

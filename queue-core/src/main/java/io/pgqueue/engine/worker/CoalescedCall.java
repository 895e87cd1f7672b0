package io.pgqueue.engine.worker;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;

import io.pgqueue.engine.handler.PendingJob;
import io.pgqueue.engine.handler.RegisteredHandler;
import io.pgqueue.engine.support.JobLog;
import io.pgqueue.engine.worker.Outcome.Succeeded;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/**
 * Runs jobs of one type in one call of their handler, and judges each on its own. The
 * first of them has the thread: its timeout is that of the call, and scopes and
 * interceptors see the call as its.
 */
final class CoalescedCall {

	private static final Logger logger = JobLog.logger();

	private final HandlerCall handlers;

	private final Judge judge;

	private final WorkerHooks hooks;

	CoalescedCall(HandlerCall handlers, Judge judge, WorkerHooks hooks) {
		this.handlers = handlers;
		this.judge = judge;
		this.hooks = hooks;
	}

	/**
	 * Runs the jobs.
	 * @param jobs the most urgent first
	 * @param finished takes what to write down
	 */
	void run(List<ActiveJob> jobs, Consumer<Outcome> finished) {
		Map<ActiveJob, Throwable> errors = new ConcurrentHashMap<>();
		List<PendingJob> pending = new ArrayList<>(jobs.size());
		for (ActiveJob job : jobs) {
			this.handlers.introduce(job);
			pending.add(new PendingJob(job.payload(), job, (error) -> errors.put(job, error)));
		}
		jobs.forEach(this.handlers::recordSteps);
		ActiveJob first = jobs.get(0);
		first.begin();
		jobs.subList(1, jobs.size()).forEach(ActiveJob::beginBeside);
		@Nullable Throwable thrown = null;
		try {
			thrown = call(first, jobs, pending);
		}
		finally {
			for (ActiveJob job : jobs) { // while an interrupt can still be seen
				end(job, errors.getOrDefault(job, thrown), finished);
				thrown = (thrown != null && first.timeout() != null) ? first.timeout() : thrown;
			}
			jobs.forEach(ActiveJob::end);
		}
	}

	private @Nullable Throwable call(ActiveJob first, List<ActiveJob> jobs, List<PendingJob> pending) {
		OpenScopes scopes = new OpenScopes();
		try {
			scopes.open(this.hooks.scopes(), first);
			RegisteredHandler handler = this.handlers.handler(first);
			jobs.forEach((job) -> this.hooks.listener().started(job, job.sinceDue()));
			this.hooks.around(first, () -> {
				handler.runTogether(pending);
				return Boolean.TRUE;
			});
			logger.debug("{} have run", jobs);
			TimeoutException timeout = first.timeout();
			if (timeout != null) { // it may have swallowed the interrupt, its work half
									// done
				throw timeout;
			}
			return null;
		}
		catch (Throwable ex) { // whatever it was, the slot lives on and the jobs know
			scopes.failed(ex);
			return ex;
		}
		finally {
			scopes.close();
		}
	}

	private void end(ActiveJob job, @Nullable Throwable error, Consumer<Outcome> finished) {
		if (!job.conclude()) {
			return;
		}
		if (error == null) {
			this.judge.succeeded(job);
			finished.accept(new Succeeded(job));
		}
		else {
			this.judge.judge(job, error).ifPresent(finished);
		}
	}

}

package io.pgqueue.worker;

import java.util.List;

import io.pgqueue.store.ClaimedJob;

/**
 * Brings claimed jobs to the slots of their pool, and what became of them to the
 * finisher.
 */
final class Dispatcher {

	private final Finisher finisher;

	private final TypeOptions options;

	Dispatcher(Finisher finisher, TypeOptions options) {
		this.finisher = finisher;
		this.options = options;
	}

	/** Whether to claim no more until what is over has been written down. */
	boolean isBehind() {
		return this.finisher.isBehind();
	}

	void dispatch(Pool pool, List<ClaimedJob> claimed) {
		List<ActiveJob> jobs = claimed.stream().map((job) -> new ActiveJob(job, this.options.of(job.type()))).toList();
		if (!pool.jobs().add(jobs)) {
			release(jobs);
		}
	}

	/** Hands jobs that have not started back to the queue. */
	void release(List<ActiveJob> jobs) {
		jobs.forEach((job) -> this.finisher.add(new Outcome.Released(job)));
	}

}

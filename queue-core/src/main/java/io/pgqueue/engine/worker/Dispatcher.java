package io.pgqueue.engine.worker;

import java.util.ArrayList;
import java.util.List;
import java.util.function.ToIntFunction;

import io.pgqueue.engine.lease.ClaimedJob;

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

	/**
	 * Brings jobs to their pool.
	 * @param urgency says which go first, the biggest number
	 */
	void dispatch(Pool pool, List<ClaimedJob> claimed, ToIntFunction<ClaimedJob> urgency) {
		List<ActiveJob> jobs = new ArrayList<>(claimed.size());
		for (ClaimedJob job : claimed) {
			jobs.add(new ActiveJob(job, this.options.of(job.type()), urgency.applyAsInt(job)));
		}
		jobs.sort(ActiveJob.MOST_URGENT_FIRST);
		if (!pool.jobs().add(jobs)) {
			release(jobs);
		}
	}

	/** Hands jobs that have not started back to the queue. */
	void release(List<ActiveJob> jobs) {
		jobs.forEach((job) -> this.finisher.add(new Outcome.Released(job)));
	}

}

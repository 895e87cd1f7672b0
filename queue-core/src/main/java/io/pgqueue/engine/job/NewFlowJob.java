package io.pgqueue.engine.job;

import java.util.List;

/**
 * A job of a flow to store.
 *
 * @param name its name in the flow
 * @param job the job
 * @param after the positions of the jobs that it waits for
 */
public record NewFlowJob(String name, NewJob job, List<Integer> after) {

	/** Returns whether it waits for other jobs. */
	boolean isBlocked() {
		return !this.after.isEmpty() || !this.job.request().predecessors().ids().isEmpty();
	}

}

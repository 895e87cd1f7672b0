package io.rowqueue.engine.job;

import java.util.Set;

/**
 * A job of a flow to store.
 *
 * @param name its name in the flow
 * @param job the job
 * @param after the names of the jobs of the flow that it waits for
 * @param before the names of the jobs that the flow has already and that wait for it
 */
public record NewFlowJob(String name, NewJob job, Set<String> after, Set<String> before) {

	boolean isKeyed() {
		return this.job.request().unique() != null;
	}

}

package io.rowqueue.engine.job;

import org.jspecify.annotations.Nullable;

/**
 * A job that a flow has already.
 *
 * @param jobId the id of the job
 * @param state how it ended; {@code null}: it has not
 * @param addedBy the job that has added it; {@code null}: it was enqueued with the flow
 */
record FlowMember(long jobId, @Nullable String state, @Nullable Long addedBy) {

	boolean hasSucceeded() {
		return "succeeded".equals(this.state);
	}

}

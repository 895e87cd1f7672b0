package io.pgqueue.autoconfigure.endpoint;

import io.pgqueue.admin.FlowAdmin;
import io.pgqueue.autoconfigure.endpoint.OperationResult.Outcome;
import io.pgqueue.store.JobStore;

/** Does what the endpoint is asked to do with flows and batches. */
final class FlowOperations {

	private final FlowAdmin admin;

	private final JobStore store;

	FlowOperations(FlowAdmin admin, JobStore store) {
		this.admin = admin;
		this.store = store;
	}

	OperationResult flow(long id, String action) {
		if (!action.equals("cancel") && !action.equals("retry")) {
			throw QueueOperations.invalid("the action for a flow is cancel or retry, not '" + action + "'");
		}
		if (this.admin.find(id).isEmpty()) {
			return new OperationResult(Outcome.NOT_FOUND, "there is no such flow", null);
		}
		int jobs = action.equals("cancel") ? this.admin.cancel(id) : this.admin.retry(id);
		return done(jobs,
				action.equals("cancel") ? " jobs are cancelled or asked to stop" : " failed jobs are queued again");
	}

	OperationResult batch(long id, String action) {
		if (!action.equals("cancel") && !action.equals("close")) {
			throw QueueOperations.invalid("the action for a batch is cancel or close, not '" + action + "'");
		}
		if (this.store.batches().find(id).isEmpty()) {
			return new OperationResult(Outcome.NOT_FOUND, "there is no such batch", null);
		}
		if (action.equals("cancel")) {
			return done(this.admin.cancelBatch(id), " jobs are cancelled or asked to stop");
		}
		return new OperationResult(Outcome.DONE, this.store.batches().close(id) ? "closed" : "was closed already",
				null);
	}

	private static OperationResult done(int jobs, String what) {
		return new OperationResult(Outcome.DONE, jobs + what, jobs);
	}

}

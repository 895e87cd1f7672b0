package io.rowqueue.autoconfigure.endpoint;

import io.rowqueue.engine.flow.BatchStore;
import io.rowqueue.flow.FlowAdmin;

/** Operations on flows and batches. */
final class FlowOperations {

	private final FlowAdmin admin;

	private final BatchStore batches;

	FlowOperations(FlowAdmin admin, BatchStore batches) {
		this.admin = admin;
		this.batches = batches;
	}

	OperationResult flow(OperationRequest request) {
		long id = request.id();
		String action = request.action();
		if (!action.equals("cancel") && !action.equals("retry")) {
			throw InvalidRequest.action(request, "a flow must be cancel or retry");
		}
		if (this.admin.find(id).isEmpty()) {
			return OperationResult.notFound("there is no flow with this id");
		}
		int jobs = action.equals("cancel") ? this.admin.cancel(id) : this.admin.retry(id);
		return OperationResult.done(jobs, action.equals("cancel") ? "jobs were cancelled, or requested to stop"
				: "failed jobs were queued again");
	}

	OperationResult batch(OperationRequest request) {
		long id = request.id();
		String action = request.action();
		if (!action.equals("cancel") && !action.equals("close")) {
			throw InvalidRequest.action(request, "a batch must be cancel or close");
		}
		if (this.batches.find(id).isEmpty()) {
			return OperationResult.notFound("there is no batch with this id");
		}
		if (action.equals("cancel")) {
			return OperationResult.done(this.admin.cancelBatch(id), "jobs were cancelled, or requested to stop");
		}
		return OperationResult.of(this.batches.close(id), "closed", "was already closed");
	}

}

package io.rowqueue.autoconfigure.admin;

import io.rowqueue.admin.FlowAdmin;
import io.rowqueue.engine.job.BatchStore;

/** Operations on flows and batches. */
final class FlowCommands {

	private final FlowAdmin admin;

	private final BatchStore batches;

	FlowCommands(FlowAdmin admin, BatchStore batches) {
		this.admin = admin;
		this.batches = batches;
	}

	CommandResult flow(AdminCommand request) {
		long id = request.id();
		String action = request.action();
		if (!action.equals("cancel") && !action.equals("retry")) {
			throw InvalidCommandException.action(request, "a flow must be cancel or retry");
		}
		if (this.admin.find(id).isEmpty()) {
			return CommandResult.notFound("there is no flow with this id");
		}
		int jobs = action.equals("cancel") ? this.admin.cancel(id) : this.admin.retry(id);
		return CommandResult.done(jobs, action.equals("cancel") ? "jobs were cancelled, or requested to stop"
				: "failed jobs were queued again");
	}

	CommandResult batch(AdminCommand request) {
		long id = request.id();
		String action = request.action();
		if (!action.equals("cancel") && !action.equals("close")) {
			throw InvalidCommandException.action(request, "a batch must be cancel or close");
		}
		if (this.batches.find(id).isEmpty()) {
			return CommandResult.notFound("there is no batch with this id");
		}
		if (action.equals("cancel")) {
			return CommandResult.done(this.admin.cancelBatch(id), "jobs were cancelled, or requested to stop");
		}
		return CommandResult.of(this.batches.close(id), "closed", "was already closed");
	}

}

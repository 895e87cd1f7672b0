package io.pgqueue.autoconfigure.endpoint;

import io.pgqueue.admin.CancelResult;
import io.pgqueue.admin.JobAdmin;
import io.pgqueue.admin.RetryResult;

/** Does what the endpoint is asked to do with jobs, and with all of a queue or type. */
final class JobOperations {

	private final JobAdmin admin;

	JobOperations(JobAdmin admin) {
		this.admin = admin;
	}

	OperationResult job(OperationRequest request) {
		long id = request.id();
		return switch (request.action()) {
			case "cancel" -> cancelled(this.admin.cancel(id));
			case "retry" -> retried(this.admin.retry(id));
			case "reschedule" -> waiting(this.admin.reschedule(id, request.givenDelay()), "rescheduled");
			case "prioritize" -> waiting(this.admin.prioritize(id, request.givenPriority()), "prioritized");
			default -> throw InvalidRequest.action(request, "a job is cancel, retry, reschedule or prioritize");
		};
	}

	OperationResult queue(OperationRequest request) {
		String name = request.name();
		return switch (request.action()) {
			case "pause" -> paused(this.admin.pauseQueue(name, request.reason()), this.admin.isKnownQueue(name));
			case "resume" -> resumed(this.admin.resumeQueue(name));
			case "retry" -> retried(this.admin.retryAll(name, null));
			default -> throw unknown(request);
		};
	}

	OperationResult type(OperationRequest request) {
		String name = request.name();
		return switch (request.action()) {
			case "pause" -> paused(this.admin.pauseType(name, request.reason()), this.admin.isKnownType(name));
			case "resume" -> resumed(this.admin.resumeType(name));
			case "retry" -> retried(this.admin.retryAll(null, name));
			default -> throw unknown(request);
		};
	}

	private static RuntimeException unknown(OperationRequest request) {
		return InvalidRequest.action(request, "a queue or type is pause, resume, retry, limit or unlimit");
	}

	private static OperationResult paused(boolean changed, boolean known) {
		return OperationResult.done((changed ? "paused" : "was paused already") + (known ? ""
				: "; no live worker and no job that was measured lately has this name: is it spelled right?"));
	}

	private static OperationResult resumed(boolean changed) {
		return OperationResult.done(changed ? "resumed" : "was not paused");
	}

	private static OperationResult retried(int jobs) {
		return OperationResult.done(jobs, "failed jobs are queued again");
	}

	private static OperationResult cancelled(CancelResult result) {
		return switch (result) {
			case CANCELLED -> OperationResult.done("cancelled");
			case REQUESTED -> OperationResult.done("its worker was asked to stop it");
			case NOT_FOUND -> OperationResult.notFound("there is no such job, or it has finished");
		};
	}

	private static OperationResult retried(RetryResult result) {
		return switch (result) {
			case QUEUED -> OperationResult.done("queued again");
			case SCHEDULED -> OperationResult.done("it is queued again when the limit of its key admits it");
			case BLOCKED -> OperationResult.done("it waits again for the jobs before it; retry those that failed");
			case KEY_TAKEN -> OperationResult.keyTaken();
			case NOT_FAILED -> OperationResult.conflict("there is no such job, or it has not failed");
		};
	}

	private static OperationResult waiting(boolean changed, String done) {
		return changed ? OperationResult.done(done)
				: OperationResult.conflict("there is no such job, or it does not wait");
	}

}

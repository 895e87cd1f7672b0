package io.rowqueue.autoconfigure.admin;

import io.rowqueue.admin.JobAdmin;
import io.rowqueue.admin.WorkerResult;
import io.rowqueue.admin.WorkerSlots;
import io.rowqueue.control.CancelResult;
import io.rowqueue.control.EraseResult;
import io.rowqueue.control.RetryResult;
import io.rowqueue.limit.LimitKind;
import org.jspecify.annotations.Nullable;

/** Operations on jobs, queues and types. */
final class JobCommands {

	private final JobAdmin admin;

	JobCommands(JobAdmin admin) {
		this.admin = admin;
	}

	CommandResult job(AdminCommand request) {
		long id = request.id();
		return switch (request.action()) {
			case "cancel" -> cancelled(this.admin.cancel(id));
			case "retry" -> retried(retry(id, request.step()));
			case "reschedule" -> waiting(this.admin.reschedule(id, request.delay()), "rescheduled");
			case "prioritize" -> waiting(this.admin.prioritize(id, request.priority()), "prioritized");
			case "erase" -> erased(this.admin.erase(id));
			case "stack" ->
				this.admin.logStack(id) ? CommandResult.done("its worker writes to its log what the handler is doing")
						: CommandResult.conflict("no live worker runs a job with this id");
			default -> throw InvalidCommandException.action(request,
					"a job must be cancel, retry, reschedule, prioritize, erase or stack");
		};
	}

	private RetryResult retry(long id, @Nullable String step) {
		return (step != null) ? this.admin.retryFromStep(id, step) : this.admin.retry(id);
	}

	CommandResult queue(AdminCommand request) {
		String name = request.name();
		return switch (request.action()) {
			case "pause" -> paused(this.admin.pauseQueue(name, request.reason()), hint(LimitKind.QUEUE, name));
			case "resume" -> resumed(this.admin.resumeQueue(name), classHint(name));
			case "retry" -> retried(this.admin.retryAll(name, null));
			default -> throw unknown(request);
		};
	}

	CommandResult type(AdminCommand request) {
		String name = request.name();
		return switch (request.action()) {
			case "pause" -> paused(this.admin.pauseType(name, request.reason()), hint(LimitKind.TYPE, name));
			case "resume" -> resumed(this.admin.resumeType(name), "");
			case "retry" -> retried(this.admin.retryAll(null, name));
			default -> throw unknown(request);
		};
	}

	private static RuntimeException unknown(AdminCommand request) {
		return InvalidCommandException.action(request,
				"a queue or type must be pause, resume, retry, limit, unlimit, hold or release");
	}

	/** What is added to the answer to a request for a name that is not known. */
	String hint(LimitKind kind, String name) {
		boolean known = switch (kind) {
			case QUEUE -> this.admin.isKnownQueue(name);
			case TYPE -> this.admin.isKnownType(name);
			case KEY -> true; // callers make them up
		};
		return known ? "" : "; no live worker and no job of the latest measurement has this name: is it misspelled?";
	}

	private static CommandResult paused(boolean changed, String hint) {
		return CommandResult.of(changed, "paused" + hint, "was already paused" + hint);
	}

	/** A queue does not run while its class is paused, whoever resumes the queue. */
	private String classHint(String queue) {
		return this.admin.pauses()
			.stream()
			.filter((pause) -> pause.isOf(queue))
			.map((pause) -> "; its class '" + pause.name() + "' is still paused: resume that to run its jobs")
			.findFirst()
			.orElse("");
	}

	private static CommandResult resumed(boolean changed, String hint) {
		return CommandResult.of(changed, "resumed" + hint, "was not paused" + hint);
	}

	private static CommandResult retried(int jobs) {
		return CommandResult.done(jobs, "failed jobs were queued again");
	}

	private static CommandResult cancelled(CancelResult result) {
		return switch (result) {
			case CANCELLED -> CommandResult.done("cancelled");
			case REQUESTED -> CommandResult.done("its worker was requested to stop it");
			case NOT_FOUND -> CommandResult.notFound("there is no job with this id, or it has finished");
		};
	}

	private static CommandResult erased(EraseResult result) {
		return switch (result) {
			case ERASED -> CommandResult.done("erased");
			case REQUESTED ->
				CommandResult.done("its worker was requested to stop it; erase it again when it has ended");
			case NOT_FOUND -> CommandResult.notFound("there is no job with this id, or it is no longer kept");
		};
	}

	private static CommandResult retried(RetryResult result) {
		return switch (result) {
			case QUEUED -> CommandResult.done("queued again");
			case SCHEDULED -> CommandResult.done("it will be queued again when the limit of its key admits it");
			case BLOCKED -> CommandResult.done("it waits for its predecessors again; retry those that have failed");
			case KEY_TAKEN -> CommandResult.keyTaken();
			case OVERLAPS ->
				CommandResult.conflict("another job of its recurring job has not ended, and they do not overlap");
			case UNKNOWN_STEP -> CommandResult.notFound("the job has not recorded this step");
			case NOT_FAILED -> CommandResult.conflict("it has not failed");
			case NOT_FOUND -> CommandResult.notFound("there is no job with this id, or it is no longer kept");
		};
	}

	private static CommandResult waiting(boolean changed, String done) {
		return changed ? CommandResult.done(done)
				: CommandResult.conflict("there is no job with this id, or it is not waiting");
	}

	CommandResult worker(AdminCommand request) {
		long id = request.id();
		return switch (request.action()) {
			case "quiet" -> changed(this.admin.quietWorker(id), "claims no more jobs", "is quiet already");
			case "resume" -> changed(this.admin.resumeWorker(id), "claims jobs again", "was not quiet");
			case "slots" -> slots(request.slots(), id);
			case "restart" -> changed(this.admin.restartWorker(id),
					"it stops when its jobs have finished, and its process registers a new worker",
					"is about to restart already");
			default ->
				throw InvalidCommandException.action(request, "a worker must be quiet, resume, slots or restart");
		};
	}

	private CommandResult slots(WorkerSlots slots, long worker) {
		WorkerResult result = this.admin.changeSlots(worker, slots.queue(), slots.number());
		return (result == WorkerResult.NO_SUCH_SLOTS)
				? CommandResult.notFound("the worker has no slots of its own for the queue '" + slots.queue() + "'")
				: changed(result, "runs at most " + slots.number() + " of these jobs at once",
						"has " + slots.number() + " slots already");
	}

	private static CommandResult changed(WorkerResult result, String message, String unchanged) {
		return (result == WorkerResult.NOT_FOUND)
				? CommandResult.notFound("there is no live worker with this id: it has stopped or was declared dead")
				: CommandResult.of(result == WorkerResult.REQUESTED, message, unchanged);
	}

}

package io.pgqueue.autoconfigure.endpoint;

import io.pgqueue.schedule.Schedules;
import io.pgqueue.window.Windows;

/** Does what the endpoint is asked to do with recurring jobs and windows. */
final class ScheduleOperations {

	private final Schedules schedules;

	private final Windows windows;

	ScheduleOperations(Schedules schedules, Windows windows) {
		this.schedules = schedules;
		this.windows = windows;
	}

	OperationResult schedule(OperationRequest request) {
		String name = request.name();
		if (this.schedules.find(name).isEmpty()) {
			return OperationResult.notFound("there is no such schedule");
		}
		return switch (request.action()) {
			case "pause" ->
				OperationResult.done(this.schedules.pause(name, request.reason()) ? "paused" : "was paused already");
			case "resume" -> OperationResult.done(this.schedules.resume(name) ? "resumed" : "was not paused");
			case "trigger" -> this.schedules.trigger(name)
				.map(OperationResult::enqueued)
				.orElseGet(() -> OperationResult.conflict("the job before is not over"));
			case "remove" -> OperationResult.done(this.schedules.remove(name) ? "removed" : "was removed already");
			default -> throw InvalidRequest.action(request, "a schedule is pause, resume, trigger or remove");
		};
	}

	OperationResult window(OperationRequest request) {
		if (!request.action().equals("remove")) {
			throw InvalidRequest.action(request, "a window is remove");
		}
		return this.windows.remove(request.name()) ? OperationResult.done("removed")
				: OperationResult.notFound("there is no such window");
	}

}

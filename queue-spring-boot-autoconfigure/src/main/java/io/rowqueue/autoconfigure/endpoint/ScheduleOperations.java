package io.rowqueue.autoconfigure.endpoint;

import io.rowqueue.schedule.Schedules;
import io.rowqueue.window.Windows;

/** Operations on recurring jobs and windows. */
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
			return OperationResult.notFound("there is no schedule with this name");
		}
		return switch (request.action()) {
			case "pause" ->
				OperationResult.of(this.schedules.pause(name, request.reason()), "paused", "was already paused");
			case "resume" -> OperationResult.of(this.schedules.resume(name), "resumed", "was not paused");
			case "trigger" -> this.schedules.trigger(name)
				.map(OperationResult::enqueued)
				.orElseGet(() -> OperationResult.conflict("its previous job has not finished"));
			case "backfill" -> backfill(request);
			case "remove" -> OperationResult.of(this.schedules.remove(name), "removed", "was already removed");
			default ->
				throw InvalidRequest.action(request, "a schedule must be pause, resume, trigger, backfill or remove");
		};
	}

	private OperationResult backfill(OperationRequest request) {
		try {
			return this.schedules.backfill(request.name(), request.backfill())
				.map((filled) -> OperationResult.done(filled.jobs(),
						((filled.jobs() == 1) ? "job" : "jobs") + " enqueued for " + filled.dueTimes()
								+ ((filled.dueTimes() == 1) ? " due time" : " due times")))
				.orElseGet(() -> OperationResult.notFound("there is no schedule with this name"));
		}
		catch (IllegalArgumentException ex) {
			return OperationResult.invalid(String.valueOf(ex.getMessage()));
		}
	}

	OperationResult window(OperationRequest request) {
		if (!request.action().equals("remove")) {
			throw InvalidRequest.action(request, "a window must be remove");
		}
		return this.windows.remove(request.name()) ? OperationResult.done("removed")
				: OperationResult.notFound("there is no window with this name");
	}

}

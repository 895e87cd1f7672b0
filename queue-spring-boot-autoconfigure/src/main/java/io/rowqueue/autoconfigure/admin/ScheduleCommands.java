package io.rowqueue.autoconfigure.admin;

import io.rowqueue.schedule.Schedules;
import io.rowqueue.window.Windows;

/** Operations on recurring jobs and windows. */
final class ScheduleCommands {

	private final Schedules schedules;

	private final Windows windows;

	ScheduleCommands(Schedules schedules, Windows windows) {
		this.schedules = schedules;
		this.windows = windows;
	}

	CommandResult schedule(AdminCommand request) {
		String name = request.name();
		if (this.schedules.find(name).isEmpty()) {
			return CommandResult.notFound("there is no schedule with this name");
		}
		return switch (request.action()) {
			case "pause" ->
				CommandResult.of(this.schedules.pause(name, request.reason()), "paused", "was already paused");
			case "resume" -> CommandResult.of(this.schedules.resume(name), "resumed", "was not paused");
			case "trigger" -> this.schedules.trigger(name)
				.map(CommandResult::enqueued)
				.orElseGet(() -> CommandResult.conflict("its previous job has not finished"));
			case "backfill" -> backfill(request);
			case "remove" -> CommandResult.of(this.schedules.remove(name), "removed", "was already removed");
			default -> throw InvalidCommandException.action(request,
					"a schedule must be pause, resume, trigger, backfill or remove");
		};
	}

	private CommandResult backfill(AdminCommand request) {
		try {
			return this.schedules.backfill(request.name(), request.backfill())
				.map((filled) -> CommandResult.done(filled.jobs(),
						((filled.jobs() == 1) ? "job" : "jobs") + " enqueued for " + filled.dueTimes()
								+ ((filled.dueTimes() == 1) ? " due time" : " due times")))
				.orElseGet(() -> CommandResult.notFound("there is no schedule with this name"));
		}
		catch (IllegalArgumentException ex) {
			return CommandResult.invalid(String.valueOf(ex.getMessage()));
		}
	}

	CommandResult window(AdminCommand request) {
		if (!request.action().equals("remove")) {
			throw InvalidCommandException.action(request, "a window must be remove");
		}
		return this.windows.remove(request.name()) ? CommandResult.done("removed")
				: CommandResult.notFound("there is no window with this name");
	}

}

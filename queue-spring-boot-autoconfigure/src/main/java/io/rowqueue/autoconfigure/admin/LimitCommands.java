package io.rowqueue.autoconfigure.admin;

import java.util.Set;

import io.rowqueue.limit.JobLimits;
import io.rowqueue.limit.LimitKind;

/** Operations on limits. */
final class LimitCommands {

	private static final Set<String> ACTIONS = Set.of("limit", "unlimit", "hold", "release");

	private final JobLimits limits;

	private final JobCommands jobs;

	LimitCommands(JobLimits limits, JobCommands jobs) {
		this.limits = limits;
		this.jobs = jobs;
	}

	static boolean isMeant(AdminCommand request) {
		return ACTIONS.contains(request.action());
	}

	CommandResult limit(LimitKind kind, AdminCommand request) {
		try {
			return switch (request.action()) {
				case "limit" -> {
					this.limits.set(kind, request.name(), request.limit());
					yield CommandResult.done("limited" + this.jobs.hint(kind, request.name()));
				}
				case "unlimit" ->
					CommandResult.of(this.limits.remove(kind, request.name()), "no longer limited", "was not limited");
				case "hold" -> {
					this.limits.hold(kind, request.name(), request.delay(), request.reason());
					yield CommandResult.done("held" + this.jobs.hint(kind, request.name()));
				}
				case "release" ->
					CommandResult.of(this.limits.release(kind, request.name()), "no longer held", "was not held");
				case "weight" -> weigh(kind, request);
				default -> throw InvalidCommandException.action(request,
						"keys must be limit, unlimit, hold, release or weight");
			};
		}
		catch (IllegalArgumentException ex) {
			throw InvalidCommandException.because(String.valueOf(ex.getMessage()), ex);
		}
	}

	private CommandResult weigh(LimitKind kind, AdminCommand request) {
		if (kind != LimitKind.KEY) {
			throw InvalidCommandException.because("only fairness keys have a weight");
		}
		int weight = request.weight();
		this.limits.setWeight(request.name(), weight);
		return CommandResult.done("has the weight " + weight);
	}

}

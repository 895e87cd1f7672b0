package io.rowqueue.autoconfigure.endpoint;

import java.util.Set;

import io.rowqueue.limit.JobLimits;
import io.rowqueue.limit.LimitKind;

/** Operations on limits. */
final class LimitOperations {

	private static final Set<String> ACTIONS = Set.of("limit", "unlimit", "hold", "release");

	private final JobLimits limits;

	private final JobOperations jobs;

	LimitOperations(JobLimits limits, JobOperations jobs) {
		this.limits = limits;
		this.jobs = jobs;
	}

	static boolean isMeant(OperationRequest request) {
		return ACTIONS.contains(request.action());
	}

	OperationResult limit(LimitKind kind, OperationRequest request) {
		try {
			return switch (request.action()) {
				case "limit" -> {
					this.limits.set(kind, request.name(), request.limit());
					yield OperationResult.done("limited" + this.jobs.hint(kind, request.name()));
				}
				case "unlimit" -> OperationResult.of(this.limits.remove(kind, request.name()), "no longer limited",
						"was not limited");
				case "hold" -> {
					this.limits.hold(kind, request.name(), request.delay(), request.reason());
					yield OperationResult.done("held" + this.jobs.hint(kind, request.name()));
				}
				case "release" ->
					OperationResult.of(this.limits.release(kind, request.name()), "no longer held", "was not held");
				case "weight" -> weigh(kind, request);
				default -> throw InvalidRequest.action(request, "keys must be limit, unlimit, hold, release or weight");
			};
		}
		catch (IllegalArgumentException ex) {
			throw InvalidRequest.because(String.valueOf(ex.getMessage()), ex);
		}
	}

	private OperationResult weigh(LimitKind kind, OperationRequest request) {
		if (kind != LimitKind.KEY) {
			throw InvalidRequest.because("only fairness keys have a weight");
		}
		int weight = request.weight();
		this.limits.setWeight(request.name(), weight);
		return OperationResult.done("has the weight " + weight);
	}

}

package io.pgqueue.autoconfigure.endpoint;

import java.util.Set;

import io.pgqueue.limit.JobLimits;
import io.pgqueue.limit.Limit;
import io.pgqueue.limit.LimitKind;

/** Operations on limits. */
final class LimitOperations {

	private static final Set<String> ACTIONS = Set.of("limit", "unlimit", "hold", "release");

	private final JobLimits limits;

	LimitOperations(JobLimits limits) {
		this.limits = limits;
	}

	static boolean isMeant(OperationRequest request) {
		return ACTIONS.contains(request.action());
	}

	OperationResult limit(LimitKind kind, OperationRequest request) {
		try {
			return switch (request.action()) {
				case "limit" -> {
					this.limits.set(kind, request.name(), Limit.of((request.limit() != null) ? request.limit() : ""));
					yield OperationResult.done("limited");
				}
				case "unlimit" -> OperationResult.of(this.limits.remove(kind, request.name()), "no longer limited",
						"was not limited");
				case "hold" -> {
					this.limits.hold(kind, request.name(), request.givenDelay(), request.givenReason());
					yield OperationResult.done("held");
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
		Integer weight = request.weight();
		if (kind != LimitKind.KEY || weight == null) {
			throw InvalidRequest.because("weight requires a fairness key and a weight from 1 to 100");
		}
		this.limits.setWeight(request.name(), weight);
		return OperationResult.done("has the weight " + weight);
	}

}

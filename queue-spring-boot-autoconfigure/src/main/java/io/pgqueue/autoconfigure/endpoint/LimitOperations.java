package io.pgqueue.autoconfigure.endpoint;

import io.pgqueue.limit.JobLimits;
import io.pgqueue.limit.Limit;
import io.pgqueue.limit.LimitKind;

/** Operations on limits. */
final class LimitOperations {

	private final JobLimits limits;

	LimitOperations(JobLimits limits) {
		this.limits = limits;
	}

	static boolean isMeant(OperationRequest request) {
		return request.action().equals("limit") || request.action().equals("unlimit");
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
				default -> throw InvalidRequest.action(request, "keys must be limit or unlimit");
			};
		}
		catch (IllegalArgumentException ex) {
			throw InvalidRequest.because(String.valueOf(ex.getMessage()), ex);
		}
	}

}

package io.rowqueue.engine.explain;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

import io.rowqueue.admin.Verdict;
import io.rowqueue.engine.support.Times;
import io.rowqueue.limit.LimitKind;

/** Checks whether limits prevent a job from running. */
final class LimitFindings {

	private LimitFindings() {
	}

	static List<Finding> of(List<LimitFacts> limits) {
		List<Finding> findings = new ArrayList<>();
		for (LimitFacts limit : limits) {
			if (limit.isReached()) {
				findings.add(new Finding(Verdict.LIMIT_REACHED,
						"The limit of " + what(limit) + ", " + limit.concurrency() + " at once in the cluster"
								+ units(limit) + ", is held by " + holders(limit) + "." + unclaimed(limit)
								+ order(limit))
					.with("limit", limit.kind().label() + " " + limit.name())
					.with("concurrency", limit.concurrency())
					.with("held", limit.held())
					.with("heldBy", limit.heldBy())
					.with("unclaimed", limit.unclaimed().isEmpty() ? null : limit.unclaimed()));
			}
			else if (limit.nextToken() != null) {
				findings.add(new Finding(Verdict.RATE_REACHED,
						"The rate of " + what(limit) + " is exhausted; the next job may start in "
								+ Times.readable(limit.nextToken()) + ".")
					.with("limit", limit.kind().label() + " " + limit.name())
					.with("nextStartIn", limit.nextToken()));
			}
			else if (limit.next() != null) {
				findings.add(new Finding(Verdict.LIMIT_REACHED,
						"The free units of the limit of " + what(limit) + " are kept for job " + limit.next()
								+ ", which goes first.")
					.with("limit", limit.kind().label() + " " + limit.name())
					.with("next", limit.next()));
			}
		}
		return findings;
	}

	private static String what(LimitFacts limit) {
		return (limit.kind() == LimitKind.KEY) ? limit.name()
				: "the " + AvailabilityFindings.named(limit.kind().label(), limit.name());
	}

	private static String units(LimitFacts limit) {
		return (limit.units() > 1) ? ", of which this job takes " + limit.units() : "";
	}

	private static String holders(LimitFacts limit) {
		String ids = limit.heldBy().stream().map(String::valueOf).collect(Collectors.joining(", "));
		String more = (limit.held() > limit.heldBy().size()) ? " and others" : "";
		return ((limit.held() == 1) ? "job " : "jobs ") + ids + more;
	}

	private static String unclaimed(LimitFacts limit) {
		return limit.unclaimed().isEmpty() ? "" : " Not claimed yet: " + ids(limit.unclaimed()) + "; see "
				+ (limit.unclaimed().size() == 1 ? "its explanation." : "their explanations.");
	}

	private static String ids(List<Long> jobs) {
		return ((jobs.size() == 1) ? "job " : "jobs ")
				+ jobs.stream().map(String::valueOf).collect(Collectors.joining(", "));
	}

	private static String order(LimitFacts limit) {
		return limit.ordered() ? " Its jobs run one after the other: one that waits for its retry keeps its place."
				: "";
	}

}

package io.rowqueue.engine.explain;

import java.time.Duration;
import java.util.List;
import java.util.Objects;

import io.rowqueue.admin.Verdict;
import io.rowqueue.engine.explain.JobFacts.Facts;
import io.rowqueue.engine.explain.JobFacts.KeyHolder;
import io.rowqueue.engine.support.Times;
import io.rowqueue.step.JobWait;

/** Checks whether a job is due. */
final class DueTimeFindings {

	/** Due jobs are promoted about twice a second. */
	private static final Duration PROMOTION_GRACE = Duration.ofSeconds(3);

	private final JobFacts facts;

	private final Facts job;

	DueTimeFindings(JobFacts facts, Facts job) {
		this.facts = facts;
		this.job = job;
	}

	List<Finding> findings() {
		KeyHolder holder = this.facts.keyHolder();
		if (holder != null) {
			return List.of(new Finding(Verdict.BEHIND_ITS_KEY,
					"It runs again after job " + holder.id() + ", which has its unique key and is " + holder.state()
							+ ". See the explanation of that job.")
				.with("behind", holder.id())
				.with("behindState", holder.state()));
		}
		// a queued job was due, and a blocked job waits for something else
		if (this.job.state().equals("queued") || this.job.state().equals("blocked")) {
			return List.of();
		}
		Duration left = Duration.between(this.facts.now(), this.job.runAt());
		if (left.isNegative() || left.isZero()) {
			// a promotion skips a row that is locked, which is explained as such
			return (left.negated().compareTo(PROMOTION_GRACE) > 0 && this.facts.locker() == null)
					? List.of(notPromoted(left.negated())) : List.of();
		}
		JobWait wait = this.facts.awaitedByHandler();
		if (wait != null) {
			return List.of(waits(wait, left));
		}
		Finding finding = this.facts.retrying()
				? new Finding(Verdict.RETRY_LATER,
						"Attempt " + this.job.attempt() + " failed; its retry is due in " + Times.readable(left) + ".")
					.with("lastError", this.job.lastError())
				: new Finding(Verdict.NOT_DUE, "It is due in " + Times.readable(left) + ".");
		return List.of(finding.with("databaseTime", this.facts.now()));
	}

	private Finding waits(JobWait wait, Duration left) {
		String until = Times.readable(Objects.requireNonNullElse(wait.until(), this.job.runAt()));
		Finding finding = switch (wait.kind()) {
			case SIGNAL -> new Finding(Verdict.WAITS_FOR_SIGNAL, "Its handler waits for the signal '" + wait.name()
					+ "' until " + until + ", in " + Times.readable(left) + " at the latest.");
			case SLEEP -> new Finding(Verdict.SLEEPS,
					"Its handler sleeps ('" + wait.name() + "') until " + until + ", in " + Times.readable(left) + ".");
			case JOBS -> new BlockedFindings(this.facts).finding();
		};
		return finding.with("waitsFor", wait.name())
			.with("waitsSince", wait.beganAt())
			.with("waitsUntil", wait.until())
			.with("databaseTime", this.facts.now());
	}

	private Finding notPromoted(Duration late) {
		return new Finding(Verdict.NOT_PROMOTED,
				"It has been due for " + Times.readable(late)
						+ ", but no process has made it claimable, which every process with a worker does"
						+ " twice a second. Check whether one is running, and its log lines about rowqueue-maintain.")
			.with("maintenanceLate", this.facts.promoteLate());
	}

}

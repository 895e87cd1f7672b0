package io.rowqueue.engine.explain;

import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.function.LongFunction;

import io.rowqueue.admin.Estimate;
import io.rowqueue.admin.Verdict;
import io.rowqueue.engine.explain.JobFacts.Awaited;
import io.rowqueue.engine.explain.JobFacts.Facts;
import io.rowqueue.engine.support.Times;
import io.rowqueue.limit.LimitKind;
import org.jspecify.annotations.Nullable;

/**
 * Estimates when a worker claims a job, from the reasons for which it waits. Times pass
 * at the same time, as does the work before the job; so the range begins when the last
 * reason ends at the earliest, and ends when the work takes longest after the last time.
 */
final class Estimates {

	private static final Set<Verdict> TIMES = EnumSet.of(Verdict.CLOCK_SET_BACK, Verdict.NOT_DUE, Verdict.RETRY_LATER,
			Verdict.SLEEPS, Verdict.WAITS_FOR_SIGNAL, Verdict.HELD, Verdict.WINDOW_CLOSED);

	private final JobFacts facts;

	private final Facts job;

	private final List<LimitFacts> limits;

	private final WaitFacts waits;

	private final LongFunction<Estimate> ends;

	/**
	 * Creates the estimates of a job.
	 * @param ends estimates when another job ends
	 */
	Estimates(JobFacts facts, Facts job, List<LimitFacts> limits, WaitFacts waits, LongFunction<Estimate> ends) {
		this.facts = facts;
		this.job = job;
		this.limits = limits;
		this.waits = waits;
		this.ends = ends;
	}

	/** Returns the estimate of all reasons together. */
	Estimate of(List<Finding> findings) {
		Duration earliest = Duration.ZERO;
		Duration latestTime = Duration.ZERO;
		Duration latestWork = Duration.ZERO;
		boolean bounded = true;
		String reason = "";
		for (Finding finding : needed(findings)) {
			Estimate each = of(finding);
			if (each.earliest() == null) {
				return each;
			}
			earliest = Times.longer(earliest, each.earliest());
			reason = (reason.isEmpty() || reason.equals(each.reason())) ? each.reason() : reason + "; " + each.reason();
			Duration latest = each.latest();
			if (latest == null) {
				bounded = false;
			}
			else if (TIMES.contains(finding.verdict())) {
				latestTime = Times.longer(latestTime, latest);
			}
			else {
				latestWork = Times.longer(latestWork, latest);
			}
		}
		return Estimate.of(earliest, bounded ? latestTime.plus(latestWork) : null, reason);
	}

	/** A rate counts the jobs before it as well, and needs no history for that. */
	private List<Finding> needed(List<Finding> findings) {
		boolean rated = this.facts.history().ends() == 0
				&& findings.stream().anyMatch((finding) -> finding.verdict() == Verdict.RATE_REACHED);
		return rated ? findings.stream().filter((finding) -> finding.verdict() != Verdict.BEHIND_OTHERS).toList()
				: findings;
	}

	private Estimate of(Finding finding) {
		return switch (finding.verdict()) {
			case UNKNOWN, SUCCEEDED, CANCELLED -> Estimate.none("it has finished");
			case FAILED -> Estimate.none("it has failed, and waits until it is retried manually");
			case WORKER_DEAD, WORKER_SILENT -> Estimate.none("its worker has stopped sending heartbeats");
			case RUNNING, STARTING -> exact(Duration.ZERO, "a worker has claimed it");
			case CLAIMABLE -> exact(Duration.ZERO, "a worker claims it with its next query");
			case DATABASE_READ_ONLY -> Estimate.none("the database is read-only");
			case NOT_PROMOTED -> Estimate.none("no process makes due jobs claimable");
			case QUEUE_PAUSED -> Estimate.none("its queue is paused until it is resumed");
			case TYPE_PAUSED -> Estimate.none("its type is paused until it is resumed");
			case NO_WORKER, NO_WORKER_FOR_TYPE, NO_WORKER_FOR_QUEUE -> Estimate.none("no live worker can run it");
			case LOCKED -> Estimate.none("when the transaction ends that has locked it is not known");
			case CLOCK_SET_BACK -> time(finding, "the clock of the database server has to catch up");
			case NOT_DUE -> time(finding, "it is due then");
			case RETRY_LATER -> time(finding, "its retry is due then");
			case SLEEPS -> time(finding, "its handler sleeps until then");
			case HELD -> time(finding, "it is held until then");
			case WINDOW_CLOSED -> time(finding, "its window opens then");
			case WAITS_FOR_SIGNAL -> Estimate.of(Duration.ZERO, finding.estimate(),
					"its handler waits for a signal, and no longer than that");
			case WAITS_FOR_JOBS -> predecessor();
			case WAITS_FOR_BATCH -> batch();
			case BEHIND_ITS_KEY -> keyHolder();
			case LIMIT_REACHED -> isKey() ? key() : queue();
			case RATE_REACHED -> rate(finding);
			case TYPE_LIMIT_REACHED, BEHIND_OTHERS, WORKERS_FULL -> queue();
		};
	}

	private static Estimate exact(Duration time, String reason) {
		return Estimate.of(time, time, reason);
	}

	private static Estimate time(Finding finding, String reason) {
		Duration time = finding.estimate();
		return (time != null) ? exact(time, reason) : Estimate.none("it is not known until when");
	}

	/** From the rate at which jobs of its queue have ended lately. */
	private Estimate queue() {
		History history = this.facts.history();
		if (!history.known()) {
			return Estimate.none("the jobs before it are not counted in a list");
		}
		if (history.ends() == 0) {
			return Estimate.none("no job of the queue '" + this.job.queue() + "' has ended in the last ten minutes");
		}
		double seconds = (this.facts.ahead() + 1) / history.endsPerSecond();
		double spread = spread(history.ends());
		boolean more = this.facts.ahead() >= JobFacts.MAX_AHEAD;
		return Estimate.of(millis(seconds / spread), more ? null : millis(seconds * spread),
				this.facts.ahead() + (more ? " or more" : "") + ((this.facts.ahead() == 1) ? " job is" : " jobs are")
						+ " before it in its queue, of which " + perMinute(history.endsPerSecond())
						+ " end per minute");
	}

	/** The fewer ends, the less is known of their rate: three times as much with one. */
	static double spread(long ends) {
		return 1 + 2 / Math.sqrt((double) ends);
	}

	private static String perMinute(double perSecond) {
		double perMinute = perSecond * 60;
		return (perMinute >= 10) ? String.valueOf(Math.round(perMinute))
				: String.valueOf(Math.round(perMinute * 10) / 10.0);
	}

	private boolean isKey() {
		return this.limits.stream().anyMatch(Estimates::isKeyInTheWay);
	}

	private static boolean isKeyInTheWay(LimitFacts limit) {
		return limit.kind() == LimitKind.KEY && (limit.isReached() || limit.next() != null);
	}

	/** From the run time of its type, as its key admits one job after the other. */
	private Estimate key() {
		LimitFacts limit = this.limits.stream().filter(Estimates::isKeyInTheWay).findFirst().orElseThrow();
		History history = this.facts.history();
		if (!history.known()) {
			return Estimate.none("the jobs of its limit key are not counted in a list");
		}
		if (history.shortRun() == null || history.longRun() == null) {
			return noRuns();
		}
		int concurrency = (limit.concurrency() != null) ? limit.concurrency() : 1;
		long ahead = this.waits.aheadOfKey();
		long rounds = ahead / concurrency + 1;
		boolean open = ahead >= WaitFacts.MAX_AHEAD || limit.ordered() || limit.next() != null
				|| !limit.unclaimed().isEmpty();
		return Estimate.of(history.shortRun().multipliedBy(rounds - 1),
				open ? null : history.longRun().multipliedBy(rounds),
				((ahead == 0) ? "it is the next one of its limit key" : ahead + " jobs of its limit key wait before it")
						+ ", and jobs of its type run for " + runs(history));
	}

	private static String runs(History history) {
		return Estimate.of(orZero(history.shortRun()), history.longRun(), "").text();
	}

	private static Duration orZero(@Nullable Duration duration) {
		return (duration != null) ? duration : Duration.ZERO;
	}

	private Estimate noRuns() {
		return Estimate.none("none of the latest " + History.JOBS
				+ " jobs that are kept is a successful one of the type '" + this.job.type() + "'");
	}

	/** The jobs before it take a token each. */
	private Estimate rate(Finding finding) {
		Duration next = orZero(finding.estimate());
		Duration perStart = this.waits.perStart();
		if (perStart == null) {
			return Estimate.of(next, null, "the rate of its limit allows no start before");
		}
		long ahead = this.facts.ahead() + this.waits.aheadOfKey();
		Duration earliest = next.plus(perStart.multipliedBy(ahead));
		boolean more = this.facts.ahead() >= JobFacts.MAX_AHEAD || this.waits.aheadOfKey() >= WaitFacts.MAX_AHEAD;
		return Estimate.of(earliest, more ? null : earliest.plus(perStart), "the rate of its limit allows a start each "
				+ Times.readable(perStart) + ", and " + ahead + " jobs are before it");
	}

	private Estimate predecessor() {
		Awaited awaited = this.facts.awaited();
		Long id = (awaited != null) ? awaited.jobId() : null;
		if (awaited == null || id == null) {
			return exact(Duration.ZERO, "the jobs that it waited for have finished");
		}
		Estimate first = this.ends.apply(id);
		return (first.earliest() == null || awaited.jobs() == 1) ? first
				: Estimate.of(first.earliest(), null, first.reason() + "; it waits for other jobs as well");
	}

	private Estimate keyHolder() {
		return (this.facts.keyHolder() != null) ? this.ends.apply(this.facts.keyHolder().id())
				: exact(Duration.ZERO, "the job that has its unique key has finished");
	}

	/** From how long the jobs of the batch took that have finished. */
	private Estimate batch() {
		Awaited awaited = this.facts.awaited();
		Duration age = this.waits.batchAge();
		if (awaited == null || awaited.batchOpen()) {
			return Estimate.none("its batch has not been closed");
		}
		long finished = awaited.batchTotal() - awaited.batchPending();
		if (age == null || finished <= 0) {
			return Estimate.none("no job of its batch has finished");
		}
		double seconds = age.toMillis() / 1000.0 / finished * awaited.batchPending();
		double spread = spread(finished);
		return Estimate.of(millis(seconds / spread), millis(seconds * spread), finished + " of " + awaited.batchTotal()
				+ " jobs of its batch have finished in " + Times.readable(age));
	}

	/**
	 * Estimates when the job ends, if nothing is known against it.
	 * @param start when a worker claims it
	 */
	Estimate end(Estimate start) {
		History history = this.facts.history();
		if (start.earliest() == null) {
			return Estimate.none("it waits for job " + this.job.id() + ": " + start.reason());
		}
		if (history.shortRun() == null || history.longRun() == null) {
			return noRuns();
		}
		String reason = "job " + this.job.id() + " ends before, and jobs of its type run for " + runs(history);
		if (this.job.leasedAt() != null && this.job.state().equals("running")) {
			Duration elapsed = Duration.between(this.job.leasedAt(), this.facts.now());
			Duration earliest = Times.longer(Duration.ZERO, history.shortRun().minus(elapsed));
			Duration latest = history.longRun().minus(elapsed);
			return Estimate.of(earliest, latest.isNegative() ? null : latest, reason);
		}
		Duration latest = start.latest();
		return Estimate.of(start.earliest().plus(history.shortRun()),
				(latest != null) ? latest.plus(history.longRun()) : null, reason);
	}

	private static Duration millis(double seconds) {
		return Duration.ofMillis((long) Math.min(seconds * 1000, Long.MAX_VALUE / 1_000_000d));
	}

}

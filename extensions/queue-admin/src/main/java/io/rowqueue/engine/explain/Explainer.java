package io.rowqueue.engine.explain;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import io.rowqueue.JobState;
import io.rowqueue.admin.Explanation;
import io.rowqueue.admin.Verdict;
import io.rowqueue.engine.explain.JobFacts.Facts;
import io.rowqueue.engine.explain.JobFacts.Holder;
import io.rowqueue.engine.support.ErrorText;
import io.rowqueue.engine.support.Expiry;
import io.rowqueue.engine.support.Times;
import io.rowqueue.limit.LimitKind;
import org.jspecify.annotations.Nullable;

/** Derives the verdict from the facts. */
public final class Explainer {

	/** Workers send a heartbeat every second. */
	private static final Duration SILENT_AFTER = Duration.ofSeconds(5);

	/** The maximum length of an error in a sentence. */
	private static final int MAX_ERROR_LENGTH = 300;

	private final JobFacts facts;

	private final Facts job;

	private final List<LimitFacts> limits;

	private Explainer(JobFacts facts, Facts job, List<LimitFacts> limits) {
		this.facts = facts;
		this.job = job;
		this.limits = limits;
	}

	/**
	 * Explains the state of a job.
	 * @param elsewhere where a job can be that is not in the database, as a sentence;
	 * empty: nowhere
	 */
	public static Explanation explain(long id, JobFacts facts, List<LimitFacts> limits, String elsewhere) {
		Facts job = facts.job();
		if (job == null) {
			return unknown(id, elsewhere);
		}
		return explanation(id, description(job), new Explainer(facts, job, limits).findings());
	}

	/**
	 * Explains that there is no such job.
	 * @param elsewhere where a job can be that is not in the database, as a sentence;
	 * empty: nowhere
	 */
	public static Explanation unknown(long id, String elsewhere) {
		return explanation(id, new LinkedHashMap<>(), List.of(new Finding(Verdict.UNKNOWN, "There is no job " + id
				+ " in the database: its enqueue was rolled back or has not been committed yet, or it has finished and is no"
				+ " longer kept." + elsewhere)));
	}

	private static Explanation explanation(long id, Map<String, Object> description, List<Finding> findings) {
		Finding first = findings.get(0);
		description.putAll(first.facts());
		return new Explanation(id, first.verdict(), first.summary(), description,
				findings.stream().skip(1).map(Finding::verdict).toList());
	}

	private static Map<String, Object> description(Facts job) {
		Map<String, Object> facts = new LinkedHashMap<>();
		facts.put("state", job.state().equals(JobFacts.FOLLOW_UP) ? JobState.SCHEDULED.label() : job.state());
		facts.put("queue", job.queue());
		facts.put("type", job.type());
		facts.put("priority", job.priority());
		facts.put("attempt", job.attempt());
		if (job.maxAttempts() != null) {
			facts.put("maxAttempts", job.maxAttempts());
		}
		facts.put("createdAt", job.createdAt());
		facts.put("runAt", job.runAt());
		return facts;
	}

	private List<Finding> findings() {
		return switch (this.job.state()) {
			case "succeeded" -> List.of(over(Verdict.SUCCEEDED, "It succeeded in attempt " + this.job.attempt() + "."));
			case "cancelled" -> List.of(over(Verdict.CANCELLED,
					Expiry.isReason(this.job.lastError())
							? "It was cancelled because it had expired: its first attempt had not begun in time."
							: "It was cancelled."));
			case "failed" -> List.of(over(Verdict.FAILED, "It failed permanently in attempt " + this.job.attempt()
					+ ": " + firstLine(this.job.lastError()) + ". Fix the cause and retry the job."));
			case "blocked" -> waitsForItsKey() ? waiting() : List.of(new BlockedFindings(this.facts).finding());
			case "starting", "running" -> List.of(held());
			default -> waiting();
		};
	}

	/** Whether it waits for the limit of its key, and not for predecessors. */
	private boolean waitsForItsKey() {
		return this.limits.stream().anyMatch((limit) -> limit.kind() == LimitKind.KEY);
	}

	private Finding over(Verdict verdict, String summary) {
		return new Finding(verdict, summary).with("finishedAt", this.job.finishedAt())
			.with("lastError", this.job.lastError());
	}

	private Finding held() {
		Holder holder = this.facts.holder();
		if (holder == null || holder.dead()) {
			String others = (this.facts.liveWorkers() > 0) ? "Another worker recovers the job within seconds."
					: "There is no other live worker to recover the job: start one.";
			return held(Verdict.WORKER_DEAD, "Its worker is dead. " + others, holder);
		}
		Duration silence = (holder.silence() != null) ? holder.silence() : Duration.ZERO;
		if (silence.compareTo(SILENT_AFTER) > 0) {
			return held(Verdict.WORKER_SILENT, "The last heartbeat of its worker was " + Times.readable(silence)
					+ " ago. If there is no further one, the worker is declared dead after rowqueue.worker.lease.",
					holder);
		}
		String cancel = this.job.cancelRequested() ? " It was requested to stop." : "";
		return this.job.state().equals("running")
				? held(Verdict.RUNNING,
						"It has been running for " + Times.readable(age(this.job.leasedAt())) + "." + cancel, holder)
				: held(Verdict.STARTING, "Its worker claimed it " + Times.readable(age(this.job.leasedAt()))
						+ " ago, and runs it as soon as a slot is free." + cancel, holder);
	}

	private Finding held(Verdict verdict, String summary, @Nullable Holder holder) {
		Finding finding = new Finding(verdict, summary).with("leasedAt", this.job.leasedAt())
			.with("cancelRequested", this.job.cancelRequested() ? Boolean.TRUE : null);
		return (holder == null) ? finding
				: finding.with("workerId", holder.workerId())
					.with("worker", holder.name())
					.with("heartbeatAge", holder.silence());
	}

	private List<Finding> waiting() {
		List<Finding> findings = new ArrayList<>();
		if (this.facts.readOnly()) {
			findings.add(new Finding(Verdict.DATABASE_READ_ONLY,
					"The database is read-only, so that no job can be claimed: it is a standby, or"
							+ " default_transaction_read_only is on. Configure the data source for the primary."));
		}
		Duration ahead = Duration.between(this.facts.now(), this.job.createdAt());
		if (ahead.compareTo(Duration.ofSeconds(1)) > 0) {
			findings.add(new Finding(Verdict.CLOCK_SET_BACK,
					"Its enqueue time lies " + Times.readable(ahead)
							+ " in the future: the clock of the database server was"
							+ " set back, and jobs are not due until it has caught up.")
				.with("databaseTime", this.facts.now()));
		}
		findings.addAll(new DueTimeFindings(this.facts, this.job).findings());
		findings.addAll(LimitFindings.of(this.limits));
		findings.addAll(new AvailabilityFindings(this.facts, this.job).findings());
		if (findings.isEmpty()) {
			findings.add(new Finding(Verdict.CLAIMABLE,
					"Nothing prevents it from running, and a worker will claim it with its next query. If none does, check the"
							+ " logs of the workers: they may be unable to reach the database.")
				.with("candidates", AvailabilityFindings.describe(this.facts.candidates()))
				.with("waitingFor", age(this.job.runAt())));
		}
		return findings;
	}

	private Duration age(@Nullable Instant since) {
		return (since == null) ? Duration.ZERO : positive(Duration.between(since, this.facts.now()));
	}

	private static Duration positive(Duration duration) {
		return duration.isNegative() ? Duration.ZERO : duration;
	}

	private static String firstLine(@Nullable String error) {
		return (error == null) ? "no error was recorded" : ErrorText.firstLine(error, MAX_ERROR_LENGTH);
	}

}

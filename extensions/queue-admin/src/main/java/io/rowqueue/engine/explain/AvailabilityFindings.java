package io.rowqueue.engine.explain;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import io.rowqueue.admin.Verdict;
import io.rowqueue.control.Pause;
import io.rowqueue.engine.explain.JobFacts.Candidate;
import io.rowqueue.engine.explain.JobFacts.Facts;
import io.rowqueue.engine.explain.JobFacts.Locker;
import io.rowqueue.engine.support.QueueClass;
import io.rowqueue.engine.support.Times;
import org.jspecify.annotations.Nullable;

/** Checks whether workers may and can claim a due job. */
final class AvailabilityFindings {

	private final JobFacts facts;

	private final Facts job;

	AvailabilityFindings(JobFacts facts, Facts job) {
		this.facts = facts;
		this.job = job;
	}

	List<Finding> findings() {
		List<Finding> findings = new ArrayList<>();
		this.facts.pauses().forEach((pause) -> findings.add(paused(pause)));
		if (this.facts.candidates().isEmpty()) {
			findings.add(noWorker());
			return findings;
		}
		Locker locker = this.facts.locker();
		if (locker != null) {
			findings.add(new Finding(Verdict.LOCKED,
					"A transaction of the server process " + locker.processId() + " (" + locker.application()
							+ ") has locked its row; workers skip it until the transaction ends.")
				.with("lockedByProcess", locker.processId())
				.with("lockedByApplication", locker.application())
				.with("lockedSince", locker.since()));
		}
		if (this.job.state().equals("queued")) {
			Finding busy = busy();
			if (busy != null) {
				findings.add(busy);
			}
		}
		return findings;
	}

	private Finding closed(Pause pause, String window) {
		Duration left = (pause.opensAt() != null) ? positive(Duration.between(this.facts.now(), pause.opensAt()))
				: Duration.ZERO;
		return new Finding(Verdict.WINDOW_CLOSED,
				subject(pause) + " runs only while the window '" + window + "' is open: it opens at "
						+ ((pause.opensAt() != null) ? Times.readable(pause.opensAt()) : "no time") + ", in "
						+ Times.readable(left) + ".")
			.with("window", window)
			.with("opensAt", pause.opensAt());
	}

	private Finding held(Pause pause, Instant until) {
		Duration left = positive(Duration.between(this.facts.now(), until));
		return new Finding(Verdict.HELD,
				subject(pause) + " is held until " + Times.readable(until) + ", for another " + Times.readable(left)
						+ ((pause.reason() != null) ? ": " + pause.reason() : "") + ".")
			.with("heldSince", pause.pausedAt())
			.with("heldUntil", until)
			.with("reason", pause.reason());
	}

	private Finding paused(Pause pause) {
		String window = pause.window();
		if (window != null) {
			return closed(pause, window);
		}
		if (pause.opensAt() != null) {
			return held(pause, pause.opensAt());
		}
		boolean queue = pause.kind().equals(Pause.QUEUE);
		return new Finding(queue ? Verdict.QUEUE_PAUSED : Verdict.TYPE_PAUSED,
				subject(pause) + " is paused" + ((pause.reason() != null) ? ": " + pause.reason() : "")
						+ ". Resume it to run its jobs.")
			.with("pausedAt", pause.pausedAt())
			.with("reason", pause.reason());
	}

	private static String subject(Pause pause) {
		return "The " + (pause.kind().equals("key") ? "limit key" : named(pause.kind(), pause.name()));
	}

	/** Names a queue, a class of queues or a type. */
	static String named(String kind, String name) {
		boolean several = kind.equals(Pause.QUEUE) && QueueClass.is(name);
		return (several ? "class of queues" : kind) + " '" + name + "'";
	}

	private Finding noWorker() {
		Finding finding;
		if (this.facts.liveWorkers() == 0) {
			finding = new Finding(Verdict.NO_WORKER, "There is no live worker: no process that runs jobs has sent a"
					+ " heartbeat for some time. Start one, and do not set rowqueue.worker.enabled to false.");
		}
		else if (this.facts.workersOfType() == 0) {
			finding = new Finding(Verdict.NO_WORKER_FOR_TYPE,
					"No live worker has a handler for the type '" + this.job.type()
							+ "'. Start the application with the handler, or check whether the type was renamed.");
		}
		else {
			finding = new Finding(Verdict.NO_WORKER_FOR_QUEUE,
					"Workers have a handler for its type, but none of them has slots for the queue '" + this.job.queue()
							+ "', or those that have are quiet: set rowqueue.worker.concurrency or rowqueue.worker.queues, or"
							+ " resume a worker.");
		}
		return finding.with("liveWorkers", this.facts.liveWorkers()).with("workersOfType", this.facts.workersOfType());
	}

	private @Nullable Finding busy() {
		List<Candidate> candidates = this.facts.candidates();
		if (candidates.stream().noneMatch(Candidate::mayRunType)) {
			return describe(new Finding(Verdict.TYPE_LIMIT_REACHED,
					"All workers that could run it run the maximum number of jobs of the type '" + this.job.type()
							+ "': raise the concurrency of the type, or start more workers."));
		}
		boolean full = candidates.stream().filter(Candidate::mayRunType).noneMatch(Candidate::hasSlot);
		if (this.facts.ahead() > 0) {
			return describe(new Finding(Verdict.BEHIND_OTHERS, ahead() + " of its queue are claimed first"
					+ (full ? ", and all slots of the workers that could run it are busy." : ".")));
		}
		if (full) {
			return describe(new Finding(Verdict.WORKERS_FULL,
					"It is next in its queue, but all slots of the workers that could run it are busy."));
		}
		return null;
	}

	private String ahead() {
		long jobs = this.facts.ahead();
		return (jobs == 1) ? "1 job" : ((jobs >= JobFacts.MAX_AHEAD) ? jobs + " jobs or more" : jobs + " jobs");
	}

	private Finding describe(Finding finding) {
		return finding.with("ahead", this.facts.ahead())
			.with("waitingFor", positive(Duration.between(this.job.runAt(), this.facts.now())))
			.with("candidates", describe(this.facts.candidates()));
	}

	private static Duration positive(Duration duration) {
		return duration.isNegative() ? Duration.ZERO : duration;
	}

	/** Describes the workers that could run the job, and what they hold. */
	static List<Map<String, Object>> describe(List<Candidate> candidates) {
		return candidates.stream().map(AvailabilityFindings::describe).toList();
	}

	private static Map<String, Object> describe(Candidate candidate) {
		Map<String, Object> facts = new LinkedHashMap<>();
		facts.put("workerId", candidate.workerId());
		facts.put("worker", candidate.name());
		facts.put("slots", candidate.slots());
		facts.put("held", candidate.held());
		if (candidate.typeLimit() != null) {
			facts.put("typeLimit", candidate.typeLimit());
			facts.put("heldOfType", candidate.heldOfType());
		}
		return facts;
	}

}

package io.rowqueue.lab.verify.verdict;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

import io.rowqueue.lab.verify.ledger.Entry;
import io.rowqueue.lab.verify.ledger.Event;
import io.rowqueue.lab.verify.verdict.Finding.Kind;
import io.rowqueue.lab.verify.verdict.QueueRows.Row;
import io.rowqueue.lab.verify.worker.Reporter;

/**
 * Compares what the queue says with what really happened, job by job. Whatever neither
 * side explains is a finding.
 */
public final class Judge {

	/** How well the clocks of server and ledgers are known to agree. */
	private static final Duration TOLERANCE = Duration.ofMillis(50);

	private final Evidence evidence;

	private final Map<Long, List<Run>> runs;

	private final Map<Long, List<Row>> over = new HashMap<>();

	private final Map<Long, Row> open = new HashMap<>();

	/** The jobs that ran, by the number that they had before they had an id. */
	private final Map<Integer, Long> ran = new HashMap<>();

	private final Harms harms;

	private final Reruns reruns;

	private final List<Finding> findings = new ArrayList<>();

	private int staleRefused;

	private Judge(Evidence evidence) {
		this.evidence = evidence;
		this.runs = Run.byJob(evidence.entries());
		evidence.rows()
			.over()
			.forEach((row) -> this.over.computeIfAbsent(row.job(), (job) -> new ArrayList<>()).add(row));
		evidence.rows().open().forEach((row) -> this.open.put(row.job(), row));
		count(Event.BEGUN).forEach((entry) -> this.ran.putIfAbsent(entry.number(), entry.job()));
		this.harms = new Harms(evidence.events(), evidence.lease());
		this.reruns = new Reruns(evidence, this.harms);
	}

	/** Judges a round. */
	public static Verdict judge(Evidence evidence) {
		return new Judge(evidence).judge();
	}

	private Verdict judge() {
		count(Event.ACKNOWLEDGED).forEach(this::mustHaveRun);
		count(Event.ROLLED_BACK).forEach(this::mustNotHaveRun);
		this.findings.addAll(new Enqueues(this.evidence, this.harms).findings());
		this.runs.forEach(this::mustBeExplained);
		this.over.forEach(this::mustBeTrue);
		this.evidence.rows().effects().forEach(this::mustHaveTakenEffectOnce);
		Set<Long> acknowledged = count(Event.ACKNOWLEDGED).stream().map(Entry::job).collect(Collectors.toSet());
		this.open.values()
			.stream()
			.filter((row) -> !acknowledged.contains(row.job()))
			.forEach((row) -> find(Kind.LOST, row.job(), "was stored, though not acknowledged, and is " + row.state()));
		this.evidence.helped().forEach((help) -> this.findings.add(new Finding(Kind.MANUAL, help)));
		int begun = this.runs.values().stream().mapToInt(List::size).sum();
		return new Verdict(count(Event.ACKNOWLEDGED).size(), count(Event.UNKNOWN).size(),
				count(Event.ROLLED_BACK).size(), begun, count(Event.FAILED).size(), this.reruns.interrupted(),
				this.reruns.late(), this.staleRefused, longestPause(),
				new Recovery(this.evidence.events(), this.evidence.entries()).longest().orElse(null),
				List.copyOf(this.findings));
	}

	private void mustHaveRun(Entry acknowledged) {
		long job = acknowledged.job();
		if (this.open.containsKey(job)) {
			Row row = this.open.get(job);
			find(Kind.LOST, job, "is " + row.state() + " in attempt " + row.attempt() + ", last error: " + row.error());
		}
		else if (!this.over.containsKey(job)) {
			find(Kind.LOST, job, "is in no table, although its enqueue was acknowledged");
		}
		else if (!this.over.get(job).get(0).state().equals("succeeded")) {
			find(Kind.LOST, job, "has finished as " + this.over.get(job).get(0).state());
		}
		else if (this.runs.getOrDefault(job, List.of()).stream().noneMatch((run) -> run.ended(Event.ENDED))) {
			find(Kind.LOST, job, "has finished, but its handler never completed");
		}
	}

	private void mustNotHaveRun(Entry rolledBack) {
		Long job = this.ran.get(rolledBack.number());
		if (job != null) {
			find(Kind.GHOST, job, "ran, but its transaction was rolled back");
		}
	}

	/** All runs but the one that counts need a reason. */
	private void mustBeExplained(long job, List<Run> all) {
		Optional<Run> accepted = accepted(job);
		for (int i = 0; i < all.size(); i++) {
			Run run = all.get(i);
			if (accepted.isPresent() && run.equals(accepted.get())) {
				continue;
			}
			if (run.ended(Event.ENDED)) {
				this.staleRefused++;
			}
			if (!this.reruns.isExplained(run, all)) {
				find(Kind.UNEXPLAINED, job, run + " does not count, and no fault explains why");
			}
		}
		long leases = all.stream().map(Run::lease).distinct().count();
		if (leases < all.size() && !this.evidence.broker()) {
			find(Kind.UNEXPLAINED, job, "ran twice under one lease");
		}
	}

	/** A success must have been reported by the last holder of the lease, once. */
	private void mustBeTrue(long job, List<Row> rows) {
		if (rows.size() > 1) {
			find(Kind.STALE_ACCEPTED, job, "has finished " + rows.size() + " times");
		}
		Optional<Run> accepted = accepted(job);
		if (accepted.isEmpty()) {
			find(Kind.STALE_ACCEPTED, job,
					"succeeded in attempt " + rows.get(0).attempt() + ", which no handler has reported");
			return;
		}
		long early = accepted.get().endNanos() - rows.get(0).nanos();
		if (early > TOLERANCE.toNanos()) {
			find(Kind.STALE_ACCEPTED, job, "was recorded as succeeded " + Duration.ofNanos(early).toMillis()
					+ " ms before the holder of the lease had come to its end");
		}
		Reporter reporter = this.evidence.rows().reporters().get(job);
		if (reporter != null && !accepted.get().isBy(reporter)) {
			find(Kind.STALE_ACCEPTED, job,
					"was recorded as succeeded by " + reporter + ", but " + accepted.get() + " held the lease");
		}
		this.runs.getOrDefault(job, List.of())
			.stream()
			.filter((run) -> run.lease() > accepted.get().lease())
			.findFirst()
			.ifPresent((later) -> find(Kind.STALE_ACCEPTED, job,
					accepted.get() + " was accepted, but its lease had been given to " + later));
	}

	private void mustHaveTakenEffectOnce(long job, int times) {
		int expected = this.over.containsKey(job) ? 1 : 0;
		if (times != expected) {
			find(Kind.EFFECT, job, "of a transactional handler took effect " + times + " times instead of " + expected);
		}
	}

	/** The run that ended well in the attempt that the queue recorded. */
	private Optional<Run> accepted(long job) {
		List<Row> rows = this.over.getOrDefault(job, List.of());
		return this.runs.getOrDefault(job, List.of())
			.stream()
			.filter((run) -> !rows.isEmpty() && run.attempt() == rows.get(0).attempt() && run.ended(Event.ENDED))
			.max(Comparator.comparingInt(Run::lease));
	}

	private List<Entry> count(Event event) {
		return this.evidence.entries().stream().filter((entry) -> entry.event() == event).toList();
	}

	private Duration longestPause() {
		long longest = 0;
		long before = 0;
		for (Entry entry : count(Event.ENDED)) {
			longest = (before == 0) ? 0 : Math.max(longest, entry.nanos() - before);
			before = entry.nanos();
		}
		return Duration.ofNanos(longest);
	}

	private void find(Kind kind, long job, String text) {
		this.findings
			.add(new Finding(kind, "job " + job + " " + text + "; runs: " + this.runs.getOrDefault(job, List.of())));
	}

}

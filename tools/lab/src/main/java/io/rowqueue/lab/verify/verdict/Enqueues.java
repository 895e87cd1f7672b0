package io.rowqueue.lab.verify.verdict;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

import io.rowqueue.lab.verify.ledger.Entry;
import io.rowqueue.lab.verify.ledger.Event;
import io.rowqueue.lab.verify.load.Load;
import io.rowqueue.lab.verify.verdict.Finding.Kind;

/**
 * Compares what was stored with what the producers tried. A job is identified by its
 * number here, which it has before it has an id.
 */
final class Enqueues {

	/** How much of the load must have been there; a slow machine may lag behind. */
	private static final double LEAST = 0.25;

	private final List<Entry> entries;

	private final Load load;

	private final Harms harms;

	private final Map<Integer, Long> begun = new HashMap<>();

	private final Map<Integer, Set<Long>> stored = new TreeMap<>();

	private final Map<Integer, Set<Integer>> tried = new TreeMap<>();

	private final List<Finding> findings = new ArrayList<>();

	Enqueues(Evidence evidence, Harms harms) {
		this.load = evidence.load();
		this.harms = harms;
		this.entries = evidence.entries();
		this.entries.forEach(this::read);
	}

	private void read(Entry entry) {
		if (entry.event() == Event.TRIED) {
			this.tried.computeIfAbsent(entry.batch(), (batch) -> new TreeSet<>()).add(entry.number());
			this.begun.put(entry.number(), entry.nanos());
		}
		else if (entry.event() == Event.BEGUN || entry.event() == Event.ACKNOWLEDGED) {
			this.stored.computeIfAbsent(entry.number(), (number) -> new TreeSet<>()).add(entry.job());
		}
	}

	List<Finding> findings() {
		this.stored.forEach((number, jobs) -> {
			if (jobs.size() > 1) {
				find(Kind.STORED, "number " + number + " is stored as the jobs " + jobs);
			}
			if (!this.begun.containsKey(number)) {
				find(Kind.STORED,
						"number " + number + " is stored as the job " + jobs + ", but no producer enqueued it");
			}
		});
		this.tried.values().forEach(this::mustBeAllOrNone);
		this.entries.stream().filter((entry) -> entry.event() == Event.UNKNOWN).forEach(this::mustHaveAReason);
		mustHaveBeenThere();
		return this.findings;
	}

	private void mustBeAllOrNone(Set<Integer> batch) {
		Set<Integer> part = new TreeSet<>(batch);
		part.retainAll(this.stored.keySet());
		if (!part.isEmpty() && part.size() < batch.size()) {
			find(Kind.STORED, "of the numbers " + batch + ", enqueued together, only " + part + " are stored");
		}
	}

	private void mustHaveAReason(Entry unknown) {
		long from = this.begun.getOrDefault(unknown.number(), unknown.nanos());
		if (!this.harms.hit(unknown.process(), from, unknown.nanos())) {
			find(Kind.REFUSED,
					"number " + unknown.number() + " could not be enqueued, and nothing was done to the database; see "
							+ unknown.process() + ".errors");
		}
	}

	private void mustHaveBeenThere() {
		long acknowledged = this.entries.stream().filter((entry) -> entry.event() == Event.ACKNOWLEDGED).count();
		Duration calm = this.harms.calm(this.load.begin(), this.load.end());
		double least = LEAST * this.load.rate() * calm.toMillis() / 1000;
		if (acknowledged < least) {
			find(Kind.LOAD, acknowledged + " jobs were acknowledged, at a rate of " + this.load.rate()
					+ " a second for " + calm.toSeconds() + " s in which the database was not harmed");
		}
	}

	private void find(Kind kind, String text) {
		this.findings.add(new Finding(kind, text));
	}

}

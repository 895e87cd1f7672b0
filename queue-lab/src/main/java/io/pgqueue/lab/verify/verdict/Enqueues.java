package io.pgqueue.lab.verify.verdict;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

import io.pgqueue.lab.verify.ledger.Entry;
import io.pgqueue.lab.verify.ledger.Event;
import io.pgqueue.lab.verify.verdict.Finding.Kind;

/**
 * Compares what was stored with what the producers tried. A job is told by its number
 * here, which it has before it has an id.
 */
final class Enqueues {

	private final List<Entry> entries;

	private final Map<Integer, Set<Long>> stored = new TreeMap<>();

	private final Map<Integer, Set<Integer>> tried = new TreeMap<>();

	private final List<Finding> findings = new ArrayList<>();

	Enqueues(Evidence evidence) {
		this.entries = evidence.entries();
		this.entries.forEach(this::read);
	}

	private void read(Entry entry) {
		if (entry.event() == Event.TRIED) {
			this.tried.computeIfAbsent(entry.batch(), (batch) -> new TreeSet<>()).add(entry.number());
		}
		else if (entry.event() == Event.BEGUN || entry.event() == Event.ACKNOWLEDGED) {
			this.stored.computeIfAbsent(entry.number(), (number) -> new TreeSet<>()).add(entry.job());
		}
	}

	List<Finding> findings() {
		Set<Integer> known = new TreeSet<>();
		this.tried.values().forEach(known::addAll);
		this.stored.forEach((number, jobs) -> {
			if (jobs.size() > 1) {
				find(Kind.STORED, "number " + number + " is stored as the jobs " + jobs);
			}
			if (!known.contains(number)) {
				find(Kind.STORED, "number " + number + " is stored as the job " + jobs + ", and nobody enqueued it");
			}
		});
		this.tried.values().forEach(this::mustBeAllOrNone);
		return this.findings;
	}

	private void mustBeAllOrNone(Set<Integer> batch) {
		Set<Integer> part = new TreeSet<>(batch);
		part.retainAll(this.stored.keySet());
		if (!part.isEmpty() && part.size() < batch.size()) {
			find(Kind.STORED, "of the numbers " + batch + ", enqueued together, only " + part + " are stored");
		}
	}

	private void find(Kind kind, String text) {
		this.findings.add(new Finding(kind, text));
	}

}

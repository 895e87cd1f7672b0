package io.rowqueue.lab.verify.verdict;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

import io.rowqueue.lab.verify.ledger.Entry;
import io.rowqueue.lab.verify.ledger.Event;
import io.rowqueue.lab.verify.worker.Reporter;
import org.jspecify.annotations.Nullable;

/**
 * One run of a handler.
 *
 * @param begun when it began
 * @param end how it ended; {@code null}: its process died in it
 */
record Run(Entry begun, @Nullable Entry end) {

	private static final Set<Event> ENDS = EnumSet.of(Event.ENDED, Event.FAILED, Event.BROKEN, Event.INTERRUPTED,
			Event.CUT_OFF);

	/**
	 * All runs of the ledgers by job, in the order in which they began. A broker may
	 * deliver a job again to the process that has run it: the first run has the first
	 * end.
	 */
	static Map<Long, List<Run>> byJob(List<Entry> entries) {
		Map<String, Deque<Entry>> ends = new HashMap<>();
		for (Entry entry : entries) {
			if (ENDS.contains(entry.event())) {
				ends.computeIfAbsent(key(entry), (key) -> new ArrayDeque<>()).add(entry);
			}
		}
		Map<Long, List<Run>> runs = new LinkedHashMap<>();
		entries.stream()
			.filter((entry) -> entry.event() == Event.BEGUN)
			.forEach((entry) -> runs.computeIfAbsent(entry.job(), (job) -> new ArrayList<>())
				.add(new Run(entry, ends.getOrDefault(key(entry), new ArrayDeque<>()).poll())));
		return runs;
	}

	private static String key(Entry entry) {
		return entry.process() + " " + entry.job() + " " + entry.lease();
	}

	boolean ended(Event event) {
		return this.end != null && this.end.event() == event;
	}

	/** When it ended. */
	long endNanos() {
		return (this.end != null) ? this.end.nanos() : Long.MAX_VALUE;
	}

	int attempt() {
		return this.begun.attempt();
	}

	int lease() {
		return this.begun.lease();
	}

	String process() {
		return this.begun.process();
	}

	boolean isBy(Reporter reporter) {
		return process().equals(reporter.process()) && lease() == reporter.lease();
	}

	@Override
	public String toString() {
		return "attempt " + attempt() + " (lease " + lease() + ") in " + process() + ": "
				+ ((this.end != null) ? this.end.event().toString().toLowerCase(Locale.ROOT) : "no end");
	}

}

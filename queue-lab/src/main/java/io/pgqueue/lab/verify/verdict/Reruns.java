package io.pgqueue.lab.verify.verdict;

import java.util.HashSet;
import java.util.List;
import java.util.Set;

import io.pgqueue.lab.verify.fault.FaultEvent;
import io.pgqueue.lab.verify.ledger.Event;
import io.pgqueue.lab.verify.verdict.QueueRows.Row;

/** Finds the reason why a run does not count. */
final class Reruns {

	private final List<FaultEvent> events;

	private final Set<String> died = new HashSet<>();

	private int interrupted;

	Reruns(List<FaultEvent> events, List<Row> failures) {
		this.events = events;
		failures.stream().filter(Row::isDeathOfWorker).forEach((row) -> this.died.add(row.job() + " " + row.attempt()));
	}

	/**
	 * Whether the run failed on purpose, or a fault hit it and the queue recorded why the
	 * attempt was taken from its worker.
	 * @param until when the job ran again
	 */
	boolean isExplained(Run run, long until) {
		if (run.ended(Event.FAILED)) {
			return true;
		}
		boolean hit = this.events.stream()
			.anyMatch((event) -> event.hits(run.process()) && event.nanos() < until
					&& (event.process() == null || event.nanos() > run.begun().nanos()));
		boolean recorded = this.died.contains(run.begun().job() + " " + run.attempt()) || run.ended(Event.INTERRUPTED);
		if (hit && recorded) {
			this.interrupted++;
		}
		return hit && recorded;
	}

	int interrupted() {
		return this.interrupted;
	}

}

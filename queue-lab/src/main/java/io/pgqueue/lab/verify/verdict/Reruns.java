package io.pgqueue.lab.verify.verdict;

import java.util.HashSet;
import java.util.List;
import java.util.Set;

import io.pgqueue.lab.verify.fault.FaultEvent;
import io.pgqueue.lab.verify.fault.FaultEvent.Kind;
import io.pgqueue.lab.verify.ledger.Event;
import io.pgqueue.lab.verify.verdict.QueueRows.Row;

/** Finds the reason why a run does not count. */
final class Reruns {

	private final List<FaultEvent> events;

	private final Set<String> died = new HashSet<>();

	private int interrupted;

	private int late;

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
		boolean died = this.died.contains(run.begun().job() + " " + run.attempt());
		if (died && isLate(run)) {
			this.late++;
			return true;
		}
		boolean explained = (died && hit(run, Kind.HARM, until))
				|| (run.ended(Event.INTERRUPTED) && hit(run, Kind.STOP, until));
		if (explained) {
			this.interrupted++;
		}
		return explained;
	}

	private boolean hit(Run run, Kind kind, long until) {
		return this.events.stream()
			.filter((event) -> event.kind() == kind && event.concerns(run.process()) && event.nanos() < until)
			.anyMatch((event) -> event.process() == null || event.nanos() > run.begun().nanos());
	}

	/**
	 * Whether its worker was harmed before the run began, and survived: it woke with jobs
	 * in hand that were no longer its own, and began one.
	 */
	private boolean isLate(Run run) {
		return this.events.stream()
			.anyMatch((event) -> event.kind() == Kind.HARM && run.process().equals(event.process())
					&& event.nanos() < run.begun().nanos());
	}

	int late() {
		return this.late;
	}

	int interrupted() {
		return this.interrupted;
	}

}

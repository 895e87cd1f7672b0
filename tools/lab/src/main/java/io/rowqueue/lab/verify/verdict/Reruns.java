package io.rowqueue.lab.verify.verdict;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

import io.rowqueue.lab.verify.fault.FaultEvent;
import io.rowqueue.lab.verify.fault.FaultEvent.Kind;
import io.rowqueue.lab.verify.ledger.Event;

/** Finds the reason why a run does not count. */
final class Reruns {

	private final List<FaultEvent> events;

	private final Harms harms;

	private final Set<String> died = new HashSet<>();

	private final Set<String> failed = new HashSet<>();

	private final Set<Long> transactional;

	private final boolean broker;

	private final Map<Long, Long> enqueued = new HashMap<>();

	private int interrupted;

	private int late;

	Reruns(Evidence evidence, Harms harms) {
		this.events = evidence.events();
		this.harms = harms;
		this.broker = evidence.broker();
		evidence.entries()
			.stream()
			.filter((entry) -> entry.event() == Event.ACKNOWLEDGED)
			.forEach((entry) -> this.enqueued.put(entry.job(), entry.nanos()));
		this.transactional = evidence.rows().effects().keySet();
		evidence.rows()
			.failures()
			.forEach((row) -> (row.isDeathOfWorker() ? this.died : this.failed).add(row.job() + " " + row.attempt()));
	}

	/**
	 * Whether the run failed on purpose and its attempt was not repeated, or a fault hit
	 * it and the queue recorded that it does not count.
	 * @param all the runs of the job, in the order in which they began
	 */
	boolean isExplained(Run run, List<Run> all) {
		boolean taken = isTaken(run, all);
		if (run.ended(Event.FAILED) && !taken) {
			return true;
		}
		int next = all.indexOf(run) + 1;
		long until = (next < all.size()) ? all.get(next).begun().nanos() : Long.MAX_VALUE;
		if (taken && this.harms.isLate(run)) {
			this.late++;
			return true;
		}
		boolean explained = ((taken || isCutOff(run) || isBroken(run)) && this.harms.hit(run, until))
				|| isDeliveredTwice(run, all) || (run.ended(Event.INTERRUPTED) && isStopped(run));
		if (explained) {
			this.interrupted++;
		}
		return explained;
	}

	/**
	 * Whether the queue took the job from its worker. The death of a worker costs an
	 * attempt if the job was seen to run; else the run of the next lease has the same
	 * number. It may have begun first, when a worker wakes with jobs that are no longer
	 * its own.
	 */
	private boolean isTaken(Run run, List<Run> all) {
		return this.died.contains(attempt(run))
				|| all.stream().anyMatch((other) -> other.attempt() == run.attempt() && other.lease() > run.lease());
	}

	/**
	 * Whether a transactional handler, or the end of its transaction, lost the database.
	 */
	private boolean isCutOff(Run run) {
		return this.transactional.contains(run.begun().job()) && this.failed.contains(attempt(run))
				&& (run.ended(Event.CUT_OFF) || run.ended(Event.ENDED));
	}

	/** Whether a handler failed that was not to. */
	private boolean isBroken(Run run) {
		return run.ended(Event.BROKEN) && this.failed.contains(attempt(run));
	}

	/**
	 * Whether a harm made the broker deliver the job twice, each time as if it were the
	 * first: it had lost the acknowledgement, or the relay was not answered and published
	 * the job again. One delivery may have been parked, and have run with a later lease,
	 * before the other one came.
	 */
	private boolean isDeliveredTwice(Run run, List<Run> all) {
		if (!this.broker) {
			return false;
		}
		List<Run> copies = all.stream()
			.filter((other) -> other.attempt() == run.attempt())
			.filter((other) -> other.lease() == run.lease() || (isBefore(other, run) && other.lease() > run.lease()))
			.toList();
		return copies.size() > 1
				&& this.harms.hitDelivery(copies.get(0), this.enqueued.getOrDefault(run.begun().job(), Long.MAX_VALUE));
	}

	private static boolean isBefore(Run other, Run run) {
		return other.begun().nanos() < run.begun().nanos();
	}

	private static String attempt(Run run) {
		return run.begun().job() + " " + run.attempt();
	}

	private boolean isStopped(Run run) {
		return this.events.stream()
			.anyMatch((event) -> event.kind() == Kind.STOP && event.concerns(run.process())
					&& event.nanos() > run.begun().nanos() && event.nanos() < run.endNanos());
	}

	int late() {
		return this.late;
	}

	int interrupted() {
		return this.interrupted;
	}

}

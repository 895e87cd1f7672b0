package io.rowqueue.lab.verify.verdict;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

import io.rowqueue.lab.verify.fault.FaultEvent;
import io.rowqueue.lab.verify.fault.FaultEvent.Kind;
import org.jspecify.annotations.Nullable;

/**
 * What was done to workers and to the database, from when until when, and for how long
 * afterwards it may be the reason for something.
 */
final class Harms {

	/**
	 * After an outage a connection pool may sleep for 5 s before it tries again, and a
	 * worker judges the others when it has reached the database for 12 s.
	 */
	private static final Duration SETTLED = Duration.ofSeconds(17);

	/** How long a worker that wakes may believe that it still holds its jobs. */
	private static final Duration AWAKE = Duration.ofSeconds(5);

	/** How long it may take until the queue has recorded how a handler ended. */
	private static final Duration RECORDED = Duration.ofSeconds(5);

	private final Duration lease;

	private final List<Harm> harms = new ArrayList<>();

	/**
	 * Pairs each harm with the event that healed it.
	 * @param events what was done, by time
	 * @param lease how long a worker that is not heard of keeps its jobs
	 */
	Harms(List<FaultEvent> events, Duration lease) {
		this.lease = lease;
		events.stream()
			.filter((event) -> event.kind() == Kind.HARM)
			.forEach((harm) -> this.harms.add(new Harm(harm.process(), harm.nanos(), healed(events, harm))));
	}

	private static long healed(List<FaultEvent> events, FaultEvent harm) {
		return events.stream()
			.filter((event) -> event.kind() == Kind.HEALED && event.nanos() > harm.nanos()
					&& Objects.equals(event.process(), harm.process()))
			.mapToLong(FaultEvent::nanos)
			.min()
			.orElse(Long.MAX_VALUE);
	}

	/**
	 * Whether a run was hit: its worker was harmed while it ran, or the database until it
	 * was over and had settled again.
	 * @param until when the job's next run began
	 */
	boolean hit(Run run, long until) {
		long end = Math.min(until, later(run.endNanos(), RECORDED));
		return this.harms.stream()
			.filter((harm) -> harm.concerns(run.process()) && harm.begin() < end)
			.anyMatch((harm) -> run.begun()
				.nanos() < ((harm.process() != null) ? harm.begin() : later(harm.end(), this.lease.plus(SETTLED))));
	}

	/**
	 * Whether a run began after its worker was harmed, and before it can have noticed:
	 * one that sleeps past its lease wakes with jobs that are no longer its own.
	 */
	boolean isLate(Run run) {
		long begun = run.begun().nanos();
		return this.harms.stream()
			.anyMatch((harm) -> run.process().equals(harm.process()) && harm.begin() < begun
					&& begun < later(harm.end(), AWAKE));
	}

	/**
	 * Whether something that a process did was hit: the process was harmed at that time,
	 * or the database, or they had not settled.
	 */
	boolean hit(String process, long from, long to) {
		return this.harms.stream()
			.anyMatch((harm) -> harm.concerns(process) && harm.begin() < to && from < later(harm.end(), SETTLED));
	}

	/**
	 * Whether a broker can have delivered a job again: it was harmed, or the worker was,
	 * at some time from the enqueue until the acknowledgement of a run was stored. When
	 * the second delivery comes does not matter: it waits behind other jobs.
	 * @param enqueued when the enqueue of the job was acknowledged
	 */
	boolean hitDelivery(Run run, long enqueued) {
		return hit(run.process(), Math.min(enqueued, run.begun().nanos()), later(run.endNanos(), RECORDED));
	}

	/** How long of a time the database was not harmed, and had settled. */
	Duration calm(long from, long to) {
		long calm = 0;
		long since = from;
		for (Harm harm : this.harms) { // by their begin
			if (harm.process() == null) {
				calm += Math.max(0, Math.min(harm.begin(), to) - since);
				since = Math.max(since, later(harm.end(), SETTLED));
			}
		}
		return Duration.ofNanos(calm + Math.max(0, to - since));
	}

	private static long later(long nanos, Duration duration) {
		return (nanos != Long.MAX_VALUE) ? nanos + duration.toNanos() : nanos;
	}

	/**
	 * One harm.
	 *
	 * @param process the worker; {@code null}: the database
	 * @param begin when it was done
	 * @param end when it ended; the greatest number means never
	 */
	private record Harm(@Nullable String process, long begin, long end) {

		boolean concerns(String other) {
			return this.process == null || this.process.equals(other);
		}

	}

}

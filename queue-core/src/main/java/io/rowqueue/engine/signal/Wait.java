package io.rowqueue.engine.signal;

import java.time.Duration;
import java.util.List;

import io.rowqueue.engine.lease.Lease;
import io.rowqueue.step.JobWait.Kind;

/**
 * The end of an attempt whose handler waits.
 *
 * @param lease the lease under which it ran
 * @param kind what it waits for
 * @param name the name of the signal, of the sleep or of the wait for jobs
 * @param atMost how long it waits at most, from the first time that it asked
 * @param jobs the ids of the jobs that it waits for
 */
public record Wait(Lease lease, Kind kind, String name, Duration atMost, List<Long> jobs) {

	/** Creates the wait for a signal or a time. */
	public Wait(Lease lease, Kind kind, String name, Duration atMost) {
		this(lease, kind, name, atMost, List.of());
	}

	@Override
	public String toString() {
		return "the " + this.kind.label() + " '" + this.name + "'";
	}

}

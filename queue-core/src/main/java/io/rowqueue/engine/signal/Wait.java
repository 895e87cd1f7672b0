package io.rowqueue.engine.signal;

import java.time.Duration;

import io.rowqueue.engine.lease.Lease;
import io.rowqueue.step.JobWait.Kind;

/**
 * The end of an attempt whose handler waits.
 *
 * @param lease the lease under which it ran
 * @param kind what it waits for
 * @param name the name of the signal or of the sleep
 * @param atMost how long it waits at most, from the first time that it asked
 */
public record Wait(Lease lease, Kind kind, String name, Duration atMost) {

	@Override
	public String toString() {
		return (this.kind == Kind.SIGNAL) ? "the signal '" + this.name + "'" : "the sleep '" + this.name + "'";
	}

}

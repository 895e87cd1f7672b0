package io.rowqueue.engine.claim;

import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/** Ends a wait, also one that begins after it was raised. */
public final class WakeFlag {

	private final Semaphore raised = new Semaphore(0);

	public void raise() {
		if (this.raised.availablePermits() == 0) {
			this.raised.release();
		}
	}

	/** Takes it back; returns whether it was raised. */
	public boolean lower() {
		return this.raised.drainPermits() > 0;
	}

	/** Returns when the flag is raised, or after the timeout. */
	public void await(Duration timeout) throws InterruptedException {
		if (this.raised.tryAcquire(timeout.toNanos(), TimeUnit.NANOSECONDS)) {
			this.raised.drainPermits();
		}
	}

}

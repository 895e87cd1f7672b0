package io.rowqueue.engine.support;

import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Measures how much time passes, like {@link System#nanoTime()}, and also counts the time
 * in which the machine was suspended: {@code nanoTime} may stand still then, while the
 * clock on the wall has moved on when the machine wakes up. A worker measures with it for
 * how long the others have not received a heartbeat. A wall clock that is set forward
 * makes it run ahead; one that is set back has no effect.
 */
public final class SuspendAwareClock {

	/** The two clocks do not run at quite the same speed. */
	private static final long TOLERANCE = TimeUnit.SECONDS.toNanos(1);

	private static final SuspendAwareClock SYSTEM = new SuspendAwareClock(System::nanoTime, System::currentTimeMillis);

	private final LongSupplier nanoTime;

	private final LongSupplier wallMillis;

	private long latestNanos;

	private long latestWall;

	private long suspended;

	SuspendAwareClock(LongSupplier nanoTime, LongSupplier wallMillis) {
		this.nanoTime = nanoTime;
		this.wallMillis = wallMillis;
		this.latestNanos = nanoTime.getAsLong();
		this.latestWall = wallNanos();
	}

	/** The time of this machine, from an arbitrary beginning; suspended time included. */
	public static long nanoTime() {
		return SYSTEM.nanos();
	}

	synchronized long nanos() {
		long nanos = this.nanoTime.getAsLong();
		long wall = wallNanos();
		long missed = (wall - this.latestWall) - (nanos - this.latestNanos);
		if (missed > TOLERANCE) {
			this.suspended += missed;
		}
		this.latestNanos = nanos;
		this.latestWall = wall;
		return nanos + this.suspended;
	}

	private long wallNanos() {
		return TimeUnit.MILLISECONDS.toNanos(this.wallMillis.getAsLong());
	}

}

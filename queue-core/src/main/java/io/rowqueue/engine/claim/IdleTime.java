package io.rowqueue.engine.claim;

import java.time.Duration;
import java.util.function.BooleanSupplier;

import io.rowqueue.engine.finish.Finisher;
import io.rowqueue.engine.slot.Pools;
import io.rowqueue.engine.support.Times;

/**
 * The time in which a worker has nothing to do and lets the database sleep: it holds no
 * job, looks for jobs and sends heartbeats only once in a long interval, and relies on
 * notifications. Its row says so, and that no silence within the interval is a sign of
 * death. Before it claims a job again it has told the database that it is busy: whoever
 * holds a lease can be missed within seconds. Used by the thread that claims, except
 * where it says otherwise.
 */
public final class IdleTime {

	/** A worker is idle after so many looks that have found nothing. */
	private static final int LOOKS = 10;

	private final Duration after;

	private final Duration interval;

	private final Beat beat;

	private final BooleanSupplier allowed;

	private final Pools pools;

	private final Finisher finisher;

	/** Whether jobs have begun or ended, or a claim has failed, since that was asked. */
	private volatile boolean used = true;

	/** Since when nothing has happened. */
	private long since;

	private volatile boolean idle;

	/**
	 * Creates a worker that is busy.
	 * @param pollInterval from one look for jobs to the next while the worker is busy
	 * @param interval the same while it is idle
	 * @param beat tells the database how long the worker is silent
	 * @param allowed whether notifications reach the worker; for any thread
	 * @param pools whose jobs it holds
	 * @param finisher writes their outcomes
	 */
	public IdleTime(Duration pollInterval, Duration interval, Beat beat, BooleanSupplier allowed, Pools pools,
			Finisher finisher) {
		this.after = pollInterval.multipliedBy(LOOKS);
		this.interval = interval;
		this.beat = beat;
		this.allowed = allowed;
		this.pools = pools;
		this.finisher = finisher;
	}

	/** Whether the worker is idle; for any thread. */
	public boolean isNow() {
		return this.idle;
	}

	/** The worker has something to do; for any thread. */
	void used() {
		if (!this.used) { // a write for each job would slow all threads down
			this.used = true;
		}
	}

	/**
	 * How long the worker may wait until it looks for jobs that nobody has announced.
	 * @param busy while it is busy
	 */
	Duration poll(Duration busy) {
		return this.idle ? Times.longer(this.interval, busy) : busy;
	}

	/**
	 * The worker has found nothing to do: it begins to be idle if that is so for long
	 * enough, and stops if notifications do not reach it any more.
	 * @param jobs whether jobs wait that it cannot claim yet
	 * @param unknown finds leases that the worker does not know of
	 * @param directStarts gives slots to jobs that this process enqueues
	 * @return whether that has changed
	 */
	boolean foundNothing(boolean jobs, UnknownLeases unknown, DirectStarts directStarts) {
		if (this.idle) {
			return !this.allowed.getAsBoolean() && end(directStarts);
		}
		if (this.used || jobs || !this.allowed.getAsBoolean()) {
			this.used = false;
			this.since = System.nanoTime();
			return false;
		}
		if (System.nanoTime() - this.since < this.after.toNanos()) {
			return false;
		}
		if (!unknown.noneSince(this.since)) {
			unknown.hurry();
			return false;
		}
		return holdsNothing() && begin(directStarts);
	}

	private boolean begin(DirectStarts directStarts) {
		boolean begun = false;
		try {
			begun = directStarts.close() && holdsNothing() && this.beat.send(this.interval);
		}
		finally {
			if (!begun) {
				directStarts.open();
			}
		}
		this.idle = begun;
		return begun;
	}

	private boolean holdsNothing() {
		return this.pools.all().allMatch((pool) -> pool.jobs().heldCount() == 0) && this.finisher.isIdle();
	}

	/**
	 * Ends the idle time before a claim.
	 * @return whether the worker may claim; if not, it was declared dead
	 */
	boolean end(DirectStarts directStarts) {
		if (!this.beat.send(Duration.ZERO)) {
			return false;
		}
		this.idle = false;
		this.used = true;
		directStarts.open();
		this.beat.busy();
		return true;
	}

	/** Tells the database how long the worker is silent. */
	public interface Beat {

		/**
		 * Sends a heartbeat.
		 * @param idle how much later than usual the next one may come; zero: the worker
		 * may begin to hold jobs
		 * @return whether the database takes it; if not, the worker was declared dead
		 */
		boolean send(Duration idle);

		/** The worker is busy again: others watch it. */
		void busy();

	}

}

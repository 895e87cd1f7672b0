package io.rowqueue.engine.claim;

import java.time.Duration;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;

import io.rowqueue.engine.slot.Demand;
import io.rowqueue.engine.slot.Pool;
import io.rowqueue.engine.slot.Pools;
import io.rowqueue.engine.support.Times;

/**
 * Decides when the lanes are swept: before a claim, or in the background once sweeps have
 * become slow, as they are while dead rows cannot be removed. Used by the thread that
 * claims.
 */
final class SweepScheduler {

	private final LaneMap lanes;

	private final Pools pools;

	private final Background<LaneMap.Look> background;

	/**
	 * Creates the scheduler.
	 * @param background executes slow sweeps
	 */
	SweepScheduler(LaneMap lanes, Pools pools, Background<LaneMap.Look> background) {
		this.lanes = lanes;
		this.pools = pools;
		this.background = background;
	}

	/** The time until a pool that needs a sweep may have one. */
	Duration untilAllowed() {
		return this.lanes.pace().untilAllowed();
	}

	/**
	 * Whether to sweep before the claim. A slow sweep begins in the background instead.
	 * @param allowed whether a pool that needs a sweep may have one now
	 * @param anyRoom whether any pool has demand and room
	 */
	boolean isDue(boolean allowed, BooleanSupplier anyRoom) {
		if (this.background.isBusy()) {
			return false;
		}
		if (this.lanes.pace().isSlow()) {
			beginIfDue(allowed, anyRoom);
			return false;
		}
		if (allowed && isNeeded((pool) -> true)) {
			raiseWhereNeeded(Demand.Level.ANYWHERE);
			return true;
		}
		return this.lanes.pace().isDue();
	}

	private void beginIfDue(boolean allowed, BooleanSupplier anyRoom) {
		boolean needed = allowed && isNeeded((pool) -> pool.room() > 0);
		if (needed || (this.lanes.pace().isDue() && anyRoom.getAsBoolean())) {
			this.background.begin(this.lanes::look);
			this.pools.each((pool) -> pool.demand().needNoSweep());
		}
		else if (allowed) { // the slot that makes room notices the demand
			raiseWhereNeeded(Demand.Level.KNOWN_LANES);
		}
	}

	/**
	 * Whether a pool with room waits for what a sweep finds: one that rests, or has not
	 * ended.
	 */
	boolean isAwaited() {
		return this.background.isBusy() || isNeeded((pool) -> pool.room() > 0);
	}

	/** Takes the result of a sweep in the background; returns whether there was one. */
	boolean takeEnded() throws InterruptedException {
		if (!this.background.isReady()) {
			return false;
		}
		try {
			this.lanes.take(this.background.take());
			return true;
		}
		catch (RuntimeException ex) {
			this.pools.each((pool) -> pool.demand().needSweep());
			throw ex;
		}
	}

	/**
	 * How long the claiming thread may sleep. A pool that needs a sweep and may have it
	 * has no room, or the thread would not sleep: the slot that makes room ends the
	 * sleep.
	 * @param untilAllowed the time until a pool that needs a sweep may have one
	 */
	Duration shorten(Duration longest, Duration untilAllowed) {
		boolean wait = !untilAllowed.isZero() && isNeeded((pool) -> true);
		return wait ? Times.shorter(untilAllowed, longest) : longest;
	}

	private boolean isNeeded(Predicate<Pool> which) {
		return this.pools.all().anyMatch((pool) -> pool.demand().needsSweep() && which.test(pool));
	}

	private void raiseWhereNeeded(Demand.Level level) {
		this.pools.all().filter((pool) -> pool.demand().needsSweep()).forEach((pool) -> pool.demand().raise(level));
	}

}

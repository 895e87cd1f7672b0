package io.rowqueue.engine.maintenance;

import java.time.Duration;
import java.util.function.BooleanSupplier;

/**
 * A task that works in batches, of which each run executes a limited number, so that
 * other tasks are not delayed. If batches are left, the next run follows soon. The task
 * has its own thread, since batches take time and jobs become due meanwhile.
 */
public abstract class BatchTask extends PeriodicTask {

	private boolean unfinished;

	/**
	 * Creates a task that runs at each interval.
	 * @param name names its row in the database
	 * @param interval the time from one run to the next if no batches are left
	 */
	protected BatchTask(String name, Duration interval) {
		super(name, interval);
	}

	@Override
	public final boolean isLong() {
		return true;
	}

	@Override
	public final boolean isUnfinished() {
		return this.unfinished;
	}

	/** The time alone decides when there is something to do. */
	@Override
	public final Duration lookEvery() {
		return interval();
	}

	@Override
	public final void run() {
		this.unfinished = false;
		runBatches();
	}

	/** Executes the batches of one run, and reports those that are left. */
	protected abstract void runBatches();

	/** Reports whether batches of one kind are left. */
	protected final void left(boolean more) {
		this.unfinished |= more;
	}

	/**
	 * Executes batches of one kind, and reports whether more are left.
	 * @param maxBatches the maximum number of batches
	 * @param batch executes one and returns whether there may be another
	 */
	protected final void repeat(int maxBatches, BooleanSupplier batch) {
		boolean more = true;
		for (int i = 0; i < maxBatches && more; i++) {
			more = batch.getAsBoolean();
		}
		left(more);
	}

}

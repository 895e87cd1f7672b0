package io.pgqueue.engine.figures;

import java.time.Duration;

import io.pgqueue.engine.maintenance.PeriodicTask;
import io.pgqueue.engine.maintenance.TaskLoop;

/** Groups the failures of the last seconds by their errors. */
public final class ErrorGroupsTask extends PeriodicTask {

	private static final Duration INTERVAL = Duration.ofSeconds(10);

	/** By then the transactions of failures have ended. */
	private static final Duration AGE = Duration.ofSeconds(10);

	private final ErrorGroupStore store;

	private final FigureRights rights;

	private boolean unfinished;

	/**
	 * Creates the task.
	 * @param store groups failures
	 * @param rights whether the role may write figures
	 */
	public ErrorGroupsTask(ErrorGroupStore store, FigureRights rights) {
		super("errors", INTERVAL);
		this.store = store;
		this.rights = rights;
	}

	@Override
	public boolean isLong() {
		return true;
	}

	@Override
	public boolean isUnfinished() {
		return this.unfinished;
	}

	@Override
	public Duration lookEvery() {
		return TaskLoop.REST;
	}

	@Override
	public void run() {
		this.unfinished = false;
		this.rights.use(() -> this.unfinished = this.store.group(AGE) >= ErrorGroupStore.MAX_FAILURES);
	}

}

package io.rowqueue.engine.figures;

import java.time.Duration;

import io.rowqueue.engine.maintenance.BatchTask;

/** Groups the failures of the last seconds by their errors. */
public final class ErrorGroupsTask extends BatchTask {

	private static final Duration INTERVAL = Duration.ofSeconds(10);

	/** By then the transactions of failures have ended. */
	private static final Duration AGE = Duration.ofSeconds(10);

	private final ErrorGroupStore store;

	private final FigureRights rights;

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
	protected void runBatches() {
		this.rights.use(() -> left(this.store.group(AGE) >= ErrorGroupStore.MAX_FAILURES));
	}

}

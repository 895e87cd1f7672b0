package io.rowqueue.engine.maintenance;

import io.rowqueue.engine.support.Outage;
import org.jspecify.annotations.Nullable;

/**
 * Runs the steps of a task, which do not depend on each other: after one that fails, the
 * others run as well. The failure is thrown at the end.
 */
public final class IndependentSteps {

	private @Nullable RuntimeException failure;

	/**
	 * Runs a step.
	 * @throws RuntimeException if the database is away: no other step could do anything
	 */
	public void run(Runnable step) {
		try {
			step.run();
		}
		catch (RuntimeException ex) {
			if (Outage.isAway(ex)) {
				throw ex;
			}
			if (this.failure == null) {
				this.failure = ex;
			}
			else {
				this.failure.addSuppressed(ex);
			}
		}
	}

	/**
	 * Ends the task.
	 * @throws RuntimeException what the first step met that failed
	 */
	public void end() {
		if (this.failure != null) {
			throw this.failure;
		}
	}

}

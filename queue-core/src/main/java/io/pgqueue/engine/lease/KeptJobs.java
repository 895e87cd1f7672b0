package io.pgqueue.engine.lease;

import java.util.Set;

/**
 * Which succeeded jobs enter the table of finished ones.
 *
 * @param keep whether those of most queues do
 * @param exceptions the queues of which the opposite is true
 */
public record KeptJobs(boolean keep, Set<String> exceptions) {

	/** All of them. */
	public static final KeptJobs ALL = new KeptJobs(true, Set.of());

	/** None of them. */
	public static final KeptJobs NONE = new KeptJobs(false, Set.of());

	/**
	 * What the worker of an application declares that does not keep all succeeded jobs:
	 * an id that is not found may be that of one.
	 */
	public static final String PARTIAL = "history:partial";

	/** Copies the set. */
	public KeptJobs {
		exceptions = Set.copyOf(exceptions);
	}

	/** Whether there is any queue whose jobs are kept. */
	public boolean any() {
		return this.keep || !this.exceptions.isEmpty();
	}

	/** Whether every succeeded job does. */
	public boolean all() {
		return this.keep && !dependsOnQueue();
	}

	/** Whether it depends on the queue. */
	boolean dependsOnQueue() {
		return !this.exceptions.isEmpty();
	}

}

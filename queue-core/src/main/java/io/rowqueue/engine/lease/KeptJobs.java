package io.rowqueue.engine.lease;

import java.util.Set;

/**
 * Which succeeded jobs are kept in the table of finished jobs.
 *
 * @param keep the default for all queues
 * @param exceptions the queues to which the opposite applies
 */
public record KeptJobs(boolean keep, Set<String> exceptions) {

	/** All succeeded jobs. */
	public static final KeptJobs ALL = new KeptJobs(true, Set.of());

	/** No succeeded jobs. */
	public static final KeptJobs NONE = new KeptJobs(false, Set.of());

	/**
	 * The declaration of a worker whose application does not keep all succeeded jobs. A
	 * job whose id is not found may have succeeded then.
	 */
	public static final String PARTIAL = "history:partial";

	/** Copies the set. */
	public KeptJobs {
		exceptions = Set.copyOf(exceptions);
	}

	/** Returns whether the jobs of any queue are kept. */
	public boolean any() {
		return this.keep || !this.exceptions.isEmpty();
	}

	/** Returns whether all succeeded jobs are kept. */
	public boolean all() {
		return this.keep && !dependsOnQueue();
	}

	/** Returns whether it depends on the queue. */
	boolean dependsOnQueue() {
		return !this.exceptions.isEmpty();
	}

}

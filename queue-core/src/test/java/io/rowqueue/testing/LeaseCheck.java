package io.rowqueue.testing;

import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;

import io.rowqueue.JobContext;

/**
 * Checks that each lease is run once: a job runs again under another lease only, whatever
 * happens to the processes. For any thread.
 */
public final class LeaseCheck {

	private final Set<String> leases = ConcurrentHashMap.newKeySet();

	private final Queue<String> violations = new ConcurrentLinkedQueue<>();

	/** A handler was called. */
	public void run(JobContext job) {
		if (!this.leases.add(job.id() + " " + job.leaseToken())) {
			this.violations.add("job " + job.id() + " has run twice with the lease " + job.leaseToken());
		}
	}

	/** Returns the leases that were run more than once. */
	public List<String> violations() {
		return List.copyOf(this.violations);
	}

}

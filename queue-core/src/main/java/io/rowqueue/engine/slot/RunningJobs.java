package io.rowqueue.engine.slot;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

import io.rowqueue.Coalescing;
import io.rowqueue.engine.attempt.ActiveJob;
import org.jspecify.annotations.Nullable;

/** The jobs that run. Guarded by its owner's lock. */
final class RunningJobs {

	private final Set<ActiveJob> jobs = new LinkedHashSet<>();

	/** How many of them have no slot of their own. */
	private int companions;

	/**
	 * Adds the first of the waiting jobs, with those that run in one call with it. If
	 * that fails, none of them waits or runs any more: the worker does not know their
	 * leases then, and ends them.
	 */
	@Nullable ActiveJob addFirst(WaitingJobs waiting) {
		ActiveJob job = waiting.poll();
		if (job == null) {
			return null;
		}
		try {
			this.jobs.add(job);
			Coalescing coalescing = job.options().coalescing();
			if (coalescing != null) {
				addTogether(job, waiting.poll(job.type(), coalescing.maxJobs() - 1));
			}
			return job;
		}
		catch (Throwable ex) {
			remove(job);
			throw ex;
		}
	}

	private void addTogether(ActiveJob job, List<ActiveJob> others) {
		List<ActiveJob> together = new ArrayList<>(List.of(job));
		together.addAll(others);
		job.runTogether(List.copyOf(together));
		this.companions += others.size();
		this.jobs.addAll(together);
	}

	/** Removes a job, with those of the same call; returns false if it does not run. */
	boolean remove(ActiveJob job) {
		if (!this.jobs.remove(job)) {
			return false;
		}
		if (job.isCoalesced()) {
			this.companions -= job.together().size() - 1;
			this.jobs.removeAll(Set.copyOf(job.together()));
		}
		return true;
	}

	/** How many slots they use. */
	int slots() {
		return this.jobs.size() - this.companions;
	}

	boolean isEmpty() {
		return this.jobs.isEmpty();
	}

	List<ActiveJob> list() {
		return new ArrayList<>(this.jobs);
	}

}

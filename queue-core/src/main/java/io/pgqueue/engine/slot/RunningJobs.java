package io.pgqueue.engine.slot;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

import io.pgqueue.engine.attempt.ActiveJob;

/** The jobs that run. Guarded by its owner's lock. */
final class RunningJobs {

	private final Set<ActiveJob> jobs = new LinkedHashSet<>();

	/** How many of them have no slot of their own. */
	private int companions;

	/** Adds a job, with the waiting ones that run in one call with it. */
	void add(ActiveJob job, WaitingJobs waiting) {
		this.jobs.add(job);
		if (job.options().coalescing() != null) {
			List<ActiveJob> together = new ArrayList<>(List.of(job));
			together.addAll(waiting.poll(job.type(), job.options().coalescing().maxJobs() - 1));
			this.jobs.addAll(together);
			this.companions += together.size() - 1;
			job.runTogether(List.copyOf(together));
		}
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

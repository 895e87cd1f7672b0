package io.rowqueue.engine.slot;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.function.Predicate;

import io.rowqueue.engine.attempt.ActiveJob;
import org.jspecify.annotations.Nullable;

/** The jobs that wait for a slot, the most urgent first. Guarded by its owner's lock. */
final class WaitingJobs {

	private Deque<ActiveJob> jobs = new ArrayDeque<>();

	/**
	 * Adds jobs.
	 * @param added the jobs, the most urgent first
	 */
	void add(List<ActiveJob> added) {
		if (this.jobs.isEmpty() || added.isEmpty()
				|| ActiveJob.MOST_URGENT_FIRST.compare(this.jobs.getLast(), added.get(0)) <= 0) {
			this.jobs.addAll(added);
			return;
		}
		List<ActiveJob> all = new ArrayList<>(this.jobs);
		all.addAll(added);
		all.sort(ActiveJob.MOST_URGENT_FIRST); // merges two sorted runs
		this.jobs = new ArrayDeque<>(all);
	}

	/** Removes the most urgent job; {@code null} if there is none. */
	@Nullable ActiveJob poll() {
		return this.jobs.poll();
	}

	/** Removes the most urgent jobs of a type, at most that many. */
	List<ActiveJob> poll(String type, int limit) {
		List<ActiveJob> removed = new ArrayList<>();
		for (Iterator<ActiveJob> each = this.jobs.iterator(); each.hasNext() && removed.size() < limit;) {
			ActiveJob job = each.next();
			if (job.type().equals(type)) {
				each.remove();
				removed.add(job);
			}
		}
		return removed;
	}

	/** Removes jobs. */
	List<ActiveJob> remove(Predicate<ActiveJob> which) {
		List<ActiveJob> removed = new ArrayList<>();
		this.jobs.removeIf((job) -> which.test(job) && removed.add(job));
		return removed;
	}

	List<ActiveJob> list() {
		return new ArrayList<>(this.jobs);
	}

	boolean isEmpty() {
		return this.jobs.isEmpty();
	}

	int size() {
		return this.jobs.size();
	}

}

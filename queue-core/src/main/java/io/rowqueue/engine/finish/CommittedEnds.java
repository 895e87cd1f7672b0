package io.rowqueue.engine.finish;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Predicate;

import io.rowqueue.engine.attempt.ActiveJob;
import io.rowqueue.engine.attempt.AttemptOutcome;
import io.rowqueue.engine.support.FairnessKey;
import io.rowqueue.engine.wakeup.Arrivals;
import io.rowqueue.engine.wakeup.JobEndings;

/**
 * Notifies those who wait for jobs to end, once that is committed: callers in this
 * process that await one, the loop that claims, the workers that can run what was
 * released or is queued again, and, for places that the jobs had under limits, other
 * workers and the admission of jobs with limit keys.
 */
public final class CommittedEnds {

	private final Consumer<Arrivals> arrived;

	private final Consumer<Set<String>> keysFreed;

	private final JobEndings endings;

	private final Predicate<ActiveJob> claims;

	/**
	 * Creates it.
	 * @param arrived notified of the jobs that can run now
	 * @param keysFreed notified of limit keys that have room again
	 * @param endings notified of the jobs whose attempt has ended
	 * @param claims notifies the loop that claims of the end of a job; returns whether
	 * that made room under a limit that only other workers can use
	 */
	public CommittedEnds(Consumer<Arrivals> arrived, Consumer<Set<String>> keysFreed, JobEndings endings,
			Predicate<ActiveJob> claims) {
		this.arrived = arrived;
		this.keysFreed = keysFreed;
		this.endings = endings;
		this.claims = claims;
	}

	/**
	 * The outcomes of these attempts are committed.
	 * @param arrivals the jobs that waited for one of them
	 */
	public void ended(List<AttemptOutcome> outcomes, Arrivals.Builder arrivals) {
		Set<String> keys = Set.of();
		for (AttemptOutcome outcome : outcomes) {
			keys = ended(outcome.job(), outcome.isQueuedAgain(), arrivals, keys);
		}
		notify(keys, arrivals);
	}

	/**
	 * The transaction of a handler has committed the end of its job.
	 * @param arrivals the jobs that waited for it
	 */
	public void ended(ActiveJob job, Arrivals.Builder arrivals) {
		notify(ended(job, false, arrivals, Set.of()), arrivals);
	}

	/** Returns the keys that have been freed so far. */
	private Set<String> ended(ActiveJob job, boolean queuedAgain, Arrivals.Builder arrivals, Set<String> keys) {
		this.endings.ended(job.id());
		if (this.claims.test(job) || queuedAgain) {
			arrivals.add(job.queue());
		}
		String key = job.job().limitKey();
		if (key == null || queuedAgain || FairnessKey.is(key)) {
			return keys;
		}
		Set<String> all = keys.isEmpty() ? new HashSet<>() : keys;
		all.add(key);
		return all;
	}

	private void notify(Set<String> keys, Arrivals.Builder arrivals) {
		if (!keys.isEmpty()) {
			this.keysFreed.accept(keys);
		}
		this.arrived.accept(arrivals.build());
	}

}

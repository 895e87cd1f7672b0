package io.rowqueue.engine.finish;

import java.util.HashSet;
import java.util.List;
import java.util.Set;

import io.rowqueue.engine.attempt.ActiveJob;
import io.rowqueue.engine.attempt.AttemptOutcome;
import io.rowqueue.engine.support.FairnessKey;
import io.rowqueue.engine.wakeup.Arrivals;
import io.rowqueue.engine.wakeup.WakeUps;
import org.jspecify.annotations.Nullable;

/**
 * Notifies those who wait for jobs to end, once that is committed: the loop that claims,
 * and, for places that the jobs had under limits, other workers and the admission of jobs
 * with limit keys.
 */
public final class CommittedEnds {

	private final WakeUps wakeUps;

	private final EndListener claims;

	/**
	 * Creates it.
	 * @param claims the loop that claims
	 */
	public CommittedEnds(WakeUps wakeUps, EndListener claims) {
		this.wakeUps = wakeUps;
		this.claims = claims;
	}

	/** The outcomes of these attempts are committed. */
	public void ended(List<AttemptOutcome> outcomes) {
		@Nullable Set<String> keys = null;
		@Nullable Set<String> queues = null;
		for (AttemptOutcome outcome : outcomes) {
			ActiveJob job = outcome.job();
			if (this.claims.ended(job)) {
				queues = with(queues, job.queue());
			}
			String key = job.job().limitKey();
			if (key != null && !outcome.isQueuedAgain() && !FairnessKey.is(key)) {
				keys = with(keys, key);
			}
		}
		notify(keys, queues);
	}

	/** The transaction of a handler has committed the end of its job. */
	public void ended(ActiveJob job) {
		String key = job.job().limitKey();
		notify((key != null && !FairnessKey.is(key)) ? Set.of(key) : null,
				this.claims.ended(job) ? Set.of(job.queue()) : null);
	}

	private void notify(@Nullable Set<String> freedKeys, @Nullable Set<String> queues) {
		if (freedKeys != null) {
			this.wakeUps.admission().keysFreed(freedKeys);
		}
		if (queues != null) {
			this.wakeUps.jobsArrived(Arrivals.of(queues));
		}
	}

	private static Set<String> with(@Nullable Set<String> names, String added) {
		Set<String> all = (names != null) ? names : new HashSet<>();
		all.add(added);
		return all;
	}

	/** The loop that claims, which counts the jobs that the worker holds. */
	public interface EndListener {

		/**
		 * The end of a job is committed.
		 * @return whether that made room under a limit that only other workers can use
		 */
		boolean ended(ActiveJob job);

	}

}

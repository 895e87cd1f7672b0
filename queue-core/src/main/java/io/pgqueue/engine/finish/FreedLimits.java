package io.pgqueue.engine.finish;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;

import io.pgqueue.engine.attempt.ActiveJob;
import io.pgqueue.engine.attempt.Outcome;
import io.pgqueue.engine.wakeup.Arrivals;
import io.pgqueue.engine.wakeup.WakeUps;
import org.jspecify.annotations.Nullable;

/**
 * Tells that jobs which count for limits have ended, once that is committed: others wait
 * for their places.
 */
public final class FreedLimits {

	private final WakeUps wakeUps;

	private final Predicate<ActiveJob> isForOthers;

	/**
	 * Creates it.
	 * @param isForOthers called with each job that has ended; answers whether other
	 * workers are to look for one in its place
	 */
	public FreedLimits(WakeUps wakeUps, Predicate<ActiveJob> isForOthers) {
		this.wakeUps = wakeUps;
		this.isForOthers = isForOthers;
	}

	/** What became of these attempts is committed. */
	public void written(List<Outcome> outcomes) {
		@Nullable Set<String> keys = null;
		@Nullable Set<String> queues = null;
		for (Outcome outcome : outcomes) {
			queues = freed(outcome.job(), queues);
			String key = outcome.job().job().limitKey();
			if (key != null && !outcome.isQueuedAgain()) {
				keys = (keys != null) ? keys : new HashSet<>();
				keys.add(key);
			}
		}
		if (keys != null) {
			this.wakeUps.admission().keysFreed(keys);
		}
		if (queues != null) {
			this.wakeUps.jobsArrived(Arrivals.of(queues));
		}
	}

	private @Nullable Set<String> freed(ActiveJob job, @Nullable Set<String> queues) {
		if (!this.isForOthers.test(job)) {
			return queues;
		}
		Set<String> all = (queues != null) ? queues : new HashSet<>();
		all.add(job.queue());
		return all;
	}

	/** An attempt has ended in the transaction of its handler. */
	public void committed(ActiveJob job) {
		@Nullable Set<String> queues = freed(job, null);
		if (queues != null) {
			this.wakeUps.jobsArrived(Arrivals.of(queues));
		}
		String key = job.job().limitKey();
		if (key != null) {
			this.wakeUps.admission().keysFreed(Set.of(key));
		}
	}

}

package io.rowqueue.engine.admin;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.function.LongConsumer;
import java.util.stream.Collectors;

import io.rowqueue.control.CancelResult;
import io.rowqueue.control.EraseResult;
import io.rowqueue.control.JobControl;
import io.rowqueue.engine.control.ChangeScope;
import io.rowqueue.engine.control.ControlStore;
import io.rowqueue.engine.control.ControlStore.ChangedJob;
import io.rowqueue.engine.control.DefaultJobControl;
import io.rowqueue.engine.control.FailedJobStore;
import io.rowqueue.engine.control.FailedJobStore.RetriedJob;
import io.rowqueue.engine.control.PayloadChange;
import io.rowqueue.engine.database.QueueDatabase;
import io.rowqueue.engine.database.QueueDatabases;
import io.rowqueue.engine.operation.JobChanges;
import io.rowqueue.engine.wakeup.Arrivals;
import io.rowqueue.engine.wakeup.WakeUps;

/** The default implementation of {@link JobChanges}. */
public final class DefaultJobChanges implements JobChanges {

	/** Changes a single job. */
	private final JobControl control;

	private final ControlStore store;

	private final FailedJobStore failed;

	private final WakeUps wakeUps;

	/**
	 * Creates the changes.
	 * @param database runs each statement in a separate transaction
	 * @param wakeUps is notified of jobs that can be claimed again
	 */
	public DefaultJobChanges(QueueDatabase database, WakeUps wakeUps) {
		ChangeScope changes = ChangeScope.separate(database);
		this.control = new DefaultJobControl(QueueDatabases.of(database), changes, wakeUps, PayloadChange.REFUSED);
		this.store = new ControlStore(changes);
		this.failed = new FailedJobStore(database, changes);
		this.wakeUps = wakeUps;
	}

	@Override
	public Set<Long> retry(List<Long> ids, LongConsumer rejected) {
		if (ids.size() == 1) {
			return changed(ids, this.control.retry(ids.get(0)).isRetried());
		}
		List<RetriedJob> retried = this.failed.retry(ids);
		this.wakeUps.jobsArrived(RetriedJob.arrivals(retried));
		retried.stream().filter((job) -> !job.isRetried()).forEach((job) -> rejected.accept(job.id()));
		return retried.stream().filter(RetriedJob::isRetried).map(RetriedJob::id).collect(Collectors.toSet());
	}

	@Override
	public Set<Long> cancel(List<Long> ids) {
		return (ids.size() == 1) ? changed(ids, this.control.cancel(ids.get(0)) != CancelResult.NOT_FOUND)
				: ended(this.store.cancel(ids));
	}

	@Override
	public Set<Long> erase(List<Long> ids) {
		return (ids.size() == 1) ? changed(ids, this.control.erase(ids.get(0)) == EraseResult.ERASED)
				: ended(this.store.erase(ids));
	}

	@Override
	public Set<Long> reschedule(List<Long> ids, Duration delay) {
		return (ids.size() == 1) ? changed(ids, this.control.reschedule(ids.get(0), delay))
				: arrived(this.store.reschedule(ids, delay), delay.isZero());
	}

	@Override
	public Set<Long> prioritize(List<Long> ids, int priority) {
		return (ids.size() == 1) ? changed(ids, this.control.prioritize(ids.get(0), priority))
				: arrived(this.store.prioritize(ids, priority), true);
	}

	private static Set<Long> changed(List<Long> ids, boolean changed) {
		return changed ? Set.copyOf(ids) : Set.of();
	}

	private Set<Long> ended(Set<Long> ids) {
		this.wakeUps.jobsArrived(Arrivals.DEFERRED); // for what waits for their ends
		return ids;
	}

	private Set<Long> arrived(List<ChangedJob> jobs, boolean due) {
		Arrivals.Builder arrivals = new Arrivals.Builder();
		if (due) {
			jobs.forEach((job) -> arrivals.add(job.queue(), job.limited()));
		}
		else {
			arrivals.addDeferred();
		}
		this.wakeUps.jobsArrived(arrivals.build());
		return jobs.stream().map(ChangedJob::id).collect(Collectors.toSet());
	}

}

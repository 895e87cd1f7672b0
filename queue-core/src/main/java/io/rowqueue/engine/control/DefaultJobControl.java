package io.rowqueue.engine.control;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.LongPredicate;
import java.util.function.Supplier;

import io.rowqueue.JobRequest;
import io.rowqueue.JobType;
import io.rowqueue.control.CancelResult;
import io.rowqueue.control.EraseResult;
import io.rowqueue.control.JobControl;
import io.rowqueue.control.JobReference;
import io.rowqueue.control.Pause;
import io.rowqueue.control.RetryResult;
import io.rowqueue.engine.database.QueueDatabases;
import io.rowqueue.engine.job.JobStore;
import io.rowqueue.engine.support.RequestChecks;
import io.rowqueue.engine.wakeup.Arrivals;
import io.rowqueue.engine.wakeup.WakeUps;
import org.jspecify.annotations.Nullable;
import org.springframework.util.Assert;

/** The default implementation of {@link JobControl}. */
public class DefaultJobControl implements JobControl {

	/** A job may be claimed or released between two statements. */
	private static final int MAX_TRIES = 5;

	private final ChangeScope changes;

	private final ControlStore store;

	private final PauseStore pauses;

	private final FailedJobs failed;

	private final JobStore jobs;

	private final WakeUps wakeUps;

	private final PayloadChange payloads;

	/**
	 * Creates the control.
	 * @param databases the database
	 * @param changes where changes are made
	 * @param wakeUps is notified of jobs that can be claimed again
	 * @param payloads replaces payloads
	 */
	public DefaultJobControl(QueueDatabases databases, ChangeScope changes, WakeUps wakeUps, PayloadChange payloads) {
		this.changes = changes;
		this.store = new ControlStore(changes);
		this.pauses = new PauseStore(databases.worker(), changes);
		this.jobs = new JobStore(databases);
		this.failed = new FailedJobs(new FailedJobStore(databases.worker(), changes), this.jobs, this::wakeUp);
		this.wakeUps = wakeUps;
		this.payloads = payloads;
	}

	@Override
	public JobReference job(long id) {
		return reference(() -> List.of(id), null);
	}

	@Override
	public JobReference job(String uniqueKey) {
		return reference(() -> this.store.ofKey(uniqueKey, null), null);
	}

	@Override
	public JobReference job(JobType<?> type, String uniqueKey) {
		return reference(() -> this.store.ofKey(uniqueKey, type.name()), type);
	}

	private JobReference reference(Supplier<List<Long>> ids, @Nullable JobType<?> type) {
		return new DefaultJobReference(this, this.jobs, this.payloads, ids, type);
	}

	@Override
	public CancelResult cancel(long id) {
		return endOrAsk(id, this.store::cancel, CancelResult.CANCELLED, CancelResult.REQUESTED, CancelResult.NOT_FOUND);
	}

	@Override
	public EraseResult erase(long id) {
		return endOrAsk(id, (job) -> !this.store.erase(List.of(job)).isEmpty(), EraseResult.ERASED,
				EraseResult.REQUESTED, EraseResult.NOT_FOUND);
	}

	private <R> R endOrAsk(long id, LongPredicate end, R ended, R asked, R notFound) {
		for (int i = 0; i < MAX_TRIES; i++) {
			if (end.test(id)) {
				wakeUp(Arrivals.DEFERRED); // for what waits for its end
				return ended;
			}
			if (this.store.askToStop(id)) {
				wakeUp(Arrivals.DEFERRED);
				return asked;
			}
		}
		return notFound;
	}

	@Override
	public RetryResult retry(long id) {
		return this.failed.retry(id);
	}

	@Override
	public RetryResult retryFromStep(long id, String step) {
		return this.failed.retryFromStep(id, step);
	}

	@Override
	public int retryAll(@Nullable String queue, @Nullable String type) {
		return this.failed.retryAll(queue, type);
	}

	@Override
	public boolean reschedule(long id, Duration delay) {
		Assert.isTrue(!delay.isNegative() && delay.compareTo(JobRequest.MAX_DELAY) <= 0,
				() -> "delay must be from 0 to 365000 days, not " + delay);
		Optional<Arrivals> rescheduled = this.store.reschedule(id, delay);
		rescheduled.ifPresent((arrivals) -> wakeUp(delay.isZero() ? arrivals : Arrivals.DEFERRED));
		return rescheduled.isPresent();
	}

	boolean reschedule(long id, Instant runAt) {
		RequestChecks.time("runAt", runAt);
		Optional<Arrivals> rescheduled = this.store.reschedule(id, runAt);
		rescheduled.ifPresent((arrivals) -> {
			wakeUp(arrivals); // it may be due by the database's clock
			wakeUp(Arrivals.DEFERRED);
		});
		return rescheduled.isPresent();
	}

	@Override
	public boolean prioritize(long id, int priority) {
		Assert.isTrue(priority >= Short.MIN_VALUE && priority <= Short.MAX_VALUE,
				() -> "priority must be from -32768 to 32767, not " + priority);
		List<String> queue = this.store.prioritize(id, priority);
		wakeUp(Arrivals.of(queue));
		return !queue.isEmpty();
	}

	/** Notifies workers, or the maintenance, after the commit. */
	protected final void wakeUp(Arrivals arrivals) {
		this.changes.afterCommit(() -> this.wakeUps.jobsArrived(arrivals));
	}

	@Override
	public boolean releaseKey(String uniqueKey) {
		return this.store.releaseKey(uniqueKey);
	}

	@Override
	public boolean pauseQueue(String queue, @Nullable String reason) {
		return this.pauses.pause(Pause.QUEUE, queue, reason);
	}

	@Override
	public boolean resumeQueue(String queue) {
		boolean paused = this.pauses.resume(Pause.QUEUE, queue);
		wakeUp(Arrivals.of(queue));
		return paused;
	}

	@Override
	public boolean pauseType(String type, @Nullable String reason) {
		return this.pauses.pause(Pause.TYPE, type, reason);
	}

	@Override
	public boolean resumeType(String type) {
		return this.pauses.resume(Pause.TYPE, type);
	}

	@Override
	public List<Pause> pauses() {
		return this.pauses.list();
	}

}

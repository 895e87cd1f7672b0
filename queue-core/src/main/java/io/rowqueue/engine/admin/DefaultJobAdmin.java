package io.rowqueue.engine.admin;

import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongPredicate;
import java.util.function.Supplier;

import io.rowqueue.FailedAttempt;
import io.rowqueue.JobLogLine;
import io.rowqueue.JobRequest;
import io.rowqueue.JobType;
import io.rowqueue.admin.CancelResult;
import io.rowqueue.admin.EraseResult;
import io.rowqueue.admin.Explanation;
import io.rowqueue.admin.JobAdmin;
import io.rowqueue.admin.JobReference;
import io.rowqueue.admin.Pause;
import io.rowqueue.admin.RetryResult;
import io.rowqueue.admin.UnhandledJobs;
import io.rowqueue.admin.WorkerResult;
import io.rowqueue.admin.masking.TextMasker;
import io.rowqueue.engine.database.QueueDatabase;
import io.rowqueue.engine.database.QueueDatabases;
import io.rowqueue.engine.job.JobStore;
import io.rowqueue.engine.lease.JobLogStore;
import io.rowqueue.engine.signal.WaitStore;
import io.rowqueue.engine.step.StepStore;
import io.rowqueue.engine.support.RequestChecks;
import io.rowqueue.engine.wakeup.Arrivals;
import io.rowqueue.engine.wakeup.WakeUps;
import io.rowqueue.step.JobWait;
import io.rowqueue.step.RecordedStep;
import org.jspecify.annotations.Nullable;
import org.springframework.util.Assert;

/** The default implementation of {@link JobAdmin}. */
public class DefaultJobAdmin implements JobAdmin {

	/** A job may be claimed or released between two statements. */
	private static final int MAX_TRIES = 5;

	private final ChangeScope changes;

	private final AdminStore admin;

	private final FailedJobStore failures;

	private final PauseStore pauses;

	private final WorkerWishStore workers;

	private final JobLogStore logs;

	private final Explanations explanations;

	private final FailedJobs failed;

	private final JobStore jobs;

	private final StepStore steps;

	private final WaitStore waits;

	private final WakeUps wakeUps;

	private final PayloadChange payloads;

	/**
	 * Creates the administration of a process that has no transactions of its own.
	 * @param database the database
	 * @param wakeUps is notified of jobs that can be claimed again
	 */
	public DefaultJobAdmin(QueueDatabase database, WakeUps wakeUps) {
		this(QueueDatabases.of(database), ChangeScope.separate(database), wakeUps, PayloadChange.REFUSED, () -> "");
	}

	/**
	 * Creates the administration.
	 * @param databases the database
	 * @param changes where changes are made
	 * @param wakeUps is notified of jobs that can be claimed again
	 * @param payloads replaces payloads
	 * @param carriedJobs describes the jobs that a broker carries, as a sentence; empty:
	 * there is no broker
	 */
	public DefaultJobAdmin(QueueDatabases databases, ChangeScope changes, WakeUps wakeUps, PayloadChange payloads,
			Supplier<String> carriedJobs) {
		QueueDatabase database = databases.worker();
		this.changes = changes;
		this.admin = new AdminStore(database, changes);
		this.failures = new FailedJobStore(database, changes);
		this.pauses = new PauseStore(database, changes);
		this.workers = new WorkerWishStore(database);
		this.logs = new JobLogStore(database);
		this.jobs = new JobStore(databases);
		this.steps = new StepStore(database);
		this.waits = new WaitStore(database);
		this.explanations = new Explanations(database, carriedJobs);
		this.failed = new FailedJobs(this.failures, this.jobs, this::wakeUp);
		this.wakeUps = wakeUps;
		this.payloads = payloads;
	}

	@Override
	public Explanation explain(long id) {
		return explain(id, TextMasker.NONE);
	}

	@Override
	public Explanation explain(long id, TextMasker masker) {
		return this.explanations.explain(id, masker);
	}

	@Override
	public Map<Long, Explanation> explainAll(Collection<Long> ids, TextMasker masker) {
		return this.explanations.explainAll(ids, masker);
	}

	@Override
	public JobReference job(long id) {
		return reference(() -> List.of(id), null);
	}

	@Override
	public JobReference job(String uniqueKey) {
		return reference(() -> this.admin.ofKey(uniqueKey, null), null);
	}

	@Override
	public JobReference job(JobType<?> type, String uniqueKey) {
		return reference(() -> this.admin.ofKey(uniqueKey, type.name()), type);
	}

	private JobReference reference(Supplier<List<Long>> ids, @Nullable JobType<?> type) {
		return new DefaultJobReference(this, this.jobs, this.payloads, ids, type);
	}

	@Override
	public CancelResult cancel(long id) {
		return endOrAsk(id, this.admin::cancel, CancelResult.CANCELLED, CancelResult.REQUESTED, CancelResult.NOT_FOUND);
	}

	@Override
	public EraseResult erase(long id) {
		return endOrAsk(id, this.admin::erase, EraseResult.ERASED, EraseResult.REQUESTED, EraseResult.NOT_FOUND);
	}

	private <R> R endOrAsk(long id, LongPredicate end, R ended, R asked, R notFound) {
		for (int i = 0; i < MAX_TRIES; i++) {
			if (end.test(id)) {
				return ended;
			}
			if (this.admin.askToStop(id)) {
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
		Optional<Arrivals> rescheduled = this.admin.reschedule(id, delay);
		if (delay.isZero()) {
			rescheduled.ifPresent(this::wakeUp);
		}
		return rescheduled.isPresent();
	}

	boolean reschedule(long id, Instant runAt) {
		RequestChecks.time("runAt", runAt);
		Optional<Arrivals> rescheduled = this.admin.reschedule(id, runAt);
		rescheduled.ifPresent(this::wakeUp); // it may be due by the database's clock
		return rescheduled.isPresent();
	}

	@Override
	public boolean prioritize(long id, int priority) {
		Assert.isTrue(priority >= Short.MIN_VALUE && priority <= Short.MAX_VALUE,
				() -> "priority must be from -32768 to 32767, not " + priority);
		List<String> queue = this.admin.prioritize(id, priority);
		wakeUp(Arrivals.of(queue));
		return !queue.isEmpty();
	}

	private void wakeUp(Arrivals arrivals) {
		this.changes.afterCommit(() -> this.wakeUps.jobsArrived(arrivals));
	}

	@Override
	public boolean releaseKey(String uniqueKey) {
		return this.admin.releaseKey(uniqueKey);
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
	public WorkerResult quietWorker(long workerId) {
		return this.workers.quiet(workerId, true);
	}

	@Override
	public WorkerResult resumeWorker(long workerId) {
		return this.workers.quiet(workerId, false);
	}

	@Override
	public WorkerResult changeSlots(long workerId, String queue, int slots) {
		Assert.isTrue(slots > 0 && slots <= MAX_SLOTS, () -> "slots must be from 1 to " + MAX_SLOTS + ", not " + slots);
		return this.workers.slots(workerId, queue, slots);
	}

	@Override
	public WorkerResult restartWorker(long workerId) {
		return this.workers.restart(workerId);
	}

	@Override
	public boolean isKnownQueue(String queue) {
		return queue.equals(JobRequest.DEFAULT_QUEUE) || this.pauses.isKnown(Pause.QUEUE, queue);
	}

	@Override
	public boolean isKnownType(String type) {
		return this.pauses.isKnown(Pause.TYPE, type);
	}

	@Override
	public List<Pause> pauses() {
		return this.pauses.list();
	}

	@Override
	public List<UnhandledJobs> unhandled() {
		return this.admin.unhandled();
	}

	@Override
	public List<JobWait> waits(long id) {
		return this.waits.list(id);
	}

	@Override
	public List<RecordedStep> steps(long id) {
		return this.steps.list(id);
	}

	@Override
	public List<JobLogLine> log(long id) {
		return this.logs.list(id);
	}

	@Override
	public List<FailedAttempt> failures(long id) {
		return this.failures.failures(id);
	}

}

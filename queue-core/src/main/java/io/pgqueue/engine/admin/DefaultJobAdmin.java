package io.pgqueue.engine.admin;

import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongPredicate;
import java.util.function.Supplier;

import io.pgqueue.FailedAttempt;
import io.pgqueue.JobRequest;
import io.pgqueue.JobState;
import io.pgqueue.JobType;
import io.pgqueue.admin.CancelResult;
import io.pgqueue.admin.EraseResult;
import io.pgqueue.admin.Estimate;
import io.pgqueue.admin.Explanation;
import io.pgqueue.admin.JobAdmin;
import io.pgqueue.admin.JobLogLine;
import io.pgqueue.admin.JobReference;
import io.pgqueue.admin.JobSearch;
import io.pgqueue.admin.JobWait;
import io.pgqueue.admin.Pause;
import io.pgqueue.admin.RecordedStep;
import io.pgqueue.admin.RetryResult;
import io.pgqueue.admin.UnhandledJobs;
import io.pgqueue.admin.masking.TextMasker;
import io.pgqueue.engine.admin.AdminStore.FailedJob;
import io.pgqueue.engine.admin.AdminStore.RetriedJob;
import io.pgqueue.engine.admin.AdminStore.StepRetry;
import io.pgqueue.engine.explain.ExplainAllStatement.ExplainedJob;
import io.pgqueue.engine.explain.ExplainDatabase;
import io.pgqueue.engine.explain.ExplainedChain;
import io.pgqueue.engine.explain.Explainer;
import io.pgqueue.engine.job.JobStore;
import io.pgqueue.engine.lease.JobLogStore;
import io.pgqueue.engine.signal.WaitStore;
import io.pgqueue.engine.step.StepStore;
import io.pgqueue.engine.support.RequestChecks;
import io.pgqueue.engine.wakeup.Arrivals;
import io.pgqueue.engine.wakeup.WakeUps;
import org.jspecify.annotations.Nullable;
import org.springframework.dao.DuplicateKeyException;
import org.springframework.util.Assert;

/** The default implementation of {@link JobAdmin}. */
public class DefaultJobAdmin implements JobAdmin {

	private static final int JOBS_PER_BATCH = 500;

	/** A job may be claimed or released between two statements. */
	private static final int MAX_TRIES = 5;

	private final AdminStore store;

	private final ExplainDatabase explained;

	private final JobStore jobs;

	private final StepStore steps;

	private final WaitStore waits;

	private final WakeUps wakeUps;

	private final Supplier<String> carriedJobs;

	private final PauseStore pauses;

	private final WorkerWishStore workers;

	private final KeyStore keys;

	private final JobLogStore logs;

	private final PayloadChange payloads;

	/**
	 * Creates the administration.
	 * @param store changes jobs
	 * @param explained reads why jobs wait
	 * @param jobs reads jobs
	 * @param steps reads what handlers have recorded
	 * @param waits reads what handlers wait for
	 * @param wakeUps is notified of jobs that can be claimed again
	 */
	public DefaultJobAdmin(AdminStore store, ExplainDatabase explained, JobStore jobs, StepStore steps, WaitStore waits,
			WakeUps wakeUps) {
		this(store, explained, jobs, steps, waits, wakeUps, PayloadChange.REFUSED, () -> "");
	}

	/**
	 * Creates the administration.
	 * @param store changes jobs
	 * @param explained reads why jobs wait
	 * @param jobs reads jobs
	 * @param steps reads what handlers have recorded
	 * @param waits reads what handlers wait for
	 * @param wakeUps is notified of jobs that can be claimed again
	 * @param payloads replaces payloads
	 * @param carriedJobs describes the jobs that a broker carries, as a sentence; empty:
	 * there is no broker
	 */
	public DefaultJobAdmin(AdminStore store, ExplainDatabase explained, JobStore jobs, StepStore steps, WaitStore waits,
			WakeUps wakeUps, PayloadChange payloads, Supplier<String> carriedJobs) {
		this.carriedJobs = carriedJobs;
		this.payloads = payloads;
		this.pauses = store.pauses();
		this.workers = store.workers();
		this.keys = store.keys();
		this.logs = store.logs();
		this.store = store;
		this.explained = explained;
		this.jobs = jobs;
		this.steps = steps;
		this.waits = waits;
		this.wakeUps = wakeUps;
	}

	@Override
	public Explanation explain(long id) {
		return explain(id, TextMasker.NONE);
	}

	@Override
	public Explanation explain(long id, TextMasker masker) {
		MaskedFacts masked = new MaskedFacts(masker);
		return new ExplainedChain(this.explained, masked::of, masked::of, this.carriedJobs.get()).explain(id);
	}

	@Override
	public Map<Long, Explanation> explainAll(Collection<Long> ids, TextMasker masker) {
		Assert.isTrue(ids.size() <= JobSearch.MAX_PAGE, () -> "at most " + JobSearch.MAX_PAGE + " jobs");
		MaskedFacts masked = new MaskedFacts(masker);
		Map<Long, ExplainedJob> known = this.explained.all().execute(ids);
		Map<Long, Explanation> explanations = new LinkedHashMap<>();
		for (long id : ids) {
			ExplainedJob job = known.get(id);
			explanations.put(id, (job != null)
					? Explainer.explain(id, masked.of(job.facts()), masked.of(job.limits()), this.carriedJobs.get())
					: Explainer.unknown(id, this.carriedJobs.get()));
		}
		return explanations;
	}

	@Override
	public Estimate estimateDrain(String queue) {
		return this.explained.drain().execute(queue);
	}

	@Override
	public JobReference job(long id) {
		return reference(() -> List.of(id), null);
	}

	@Override
	public JobReference job(String uniqueKey) {
		return reference(() -> this.keys.ofKey(uniqueKey, null), null);
	}

	@Override
	public JobReference job(JobType<?> type, String uniqueKey) {
		return reference(() -> this.keys.ofKey(uniqueKey, type.name()), type);
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
		return endOrAsk(id, this.store::erase, EraseResult.ERASED, EraseResult.REQUESTED, EraseResult.NOT_FOUND);
	}

	private <R> R endOrAsk(long id, LongPredicate end, R ended, R asked, R notFound) {
		for (int i = 0; i < MAX_TRIES; i++) {
			if (end.test(id)) {
				return ended;
			}
			if (this.store.askToStop(id)) {
				return asked;
			}
		}
		return notFound;
	}

	@Override
	public RetryResult retry(long id) {
		return retry(id, () -> this.store.retry(id));
	}

	@Override
	public RetryResult retryFromStep(long id, String step) {
		RequestChecks.name("the name of a step", step);
		AtomicBoolean known = new AtomicBoolean();
		RetryResult result = retry(id, () -> {
			StepRetry retry = this.store.retryFromStep(id, step);
			known.set(retry.known());
			return Optional.ofNullable(retry.job());
		});
		return (result == RetryResult.KEY_TAKEN && !known.get()) ? RetryResult.UNKNOWN_STEP : result;
	}

	private RetryResult retry(long id, Supplier<Optional<RetriedJob>> retry) {
		try {
			Optional<RetriedJob> retried = retry.get();
			if (retried.isPresent()) {
				return retried(retried.get());
			}
		}
		catch (DuplicateKeyException ex) {
			return RetryResult.KEY_TAKEN;
		}
		boolean failed = this.jobs.find(id).filter((job) -> job.state() == JobState.FAILED).isPresent();
		return failed ? RetryResult.KEY_TAKEN : RetryResult.NOT_FAILED;
	}

	private RetryResult retried(RetriedJob job) {
		if (job.state() == JobState.BLOCKED) {
			return RetryResult.BLOCKED;
		}
		boolean limited = job.state() == JobState.SCHEDULED;
		wakeUp(Arrivals.of(job.queue(), limited));
		return limited ? RetryResult.SCHEDULED : RetryResult.QUEUED;
	}

	@Override
	public int retryAll(@Nullable String queue, @Nullable String type) {
		Instant until = this.store.now();
		int retried = 0;
		List<FailedJob> jobs = this.store.failed(queue, type, until, FailedJob.NONE, JOBS_PER_BATCH);
		while (!jobs.isEmpty()) {
			for (FailedJob job : jobs) {
				retried += retry(job.id()).runsAgain() ? 1 : 0;
			}
			jobs = this.store.failed(queue, type, until, jobs.get(jobs.size() - 1), JOBS_PER_BATCH);
		}
		return retried;
	}

	@Override
	public boolean reschedule(long id, Duration delay) {
		Assert.isTrue(!delay.isNegative() && delay.compareTo(JobRequest.MAX_DELAY) <= 0,
				() -> "delay must be from 0 to 365000 days, not " + delay);
		Optional<Arrivals> rescheduled = this.store.reschedule(id, delay);
		if (delay.isZero()) {
			rescheduled.ifPresent(this::wakeUp);
		}
		return rescheduled.isPresent();
	}

	boolean reschedule(long id, Instant runAt) {
		RequestChecks.time("runAt", runAt);
		Optional<Arrivals> rescheduled = this.store.reschedule(id, runAt);
		rescheduled.ifPresent(this::wakeUp); // it may be due by the database's clock
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

	private void wakeUp(Arrivals arrivals) {
		this.store.afterCommit(() -> this.wakeUps.jobsArrived(arrivals));
	}

	@Override
	public boolean releaseKey(String uniqueKey) {
		return this.keys.releaseKey(uniqueKey);
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
	public boolean quietWorker(long workerId) {
		return this.workers.quiet(workerId, true);
	}

	@Override
	public boolean resumeWorker(long workerId) {
		return this.workers.quiet(workerId, false);
	}

	@Override
	public boolean changeSlots(long workerId, String queue, int slots) {
		Assert.isTrue(slots > 0 && slots <= MAX_SLOTS, () -> "slots must be from 1 to " + MAX_SLOTS + ", not " + slots);
		return this.workers.slots(workerId, queue, slots);
	}

	@Override
	public boolean restartWorker(long workerId) {
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
		return this.store.unhandled();
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
		return this.store.failures(id);
	}

}

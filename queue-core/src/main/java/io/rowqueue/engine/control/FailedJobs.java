package io.rowqueue.engine.control;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Collectors;

import io.rowqueue.Job;
import io.rowqueue.JobState;
import io.rowqueue.control.RetryResult;
import io.rowqueue.engine.control.FailedJobStore.FailedJob;
import io.rowqueue.engine.control.FailedJobStore.RetriedJob;
import io.rowqueue.engine.control.FailedJobStore.StepRetry;
import io.rowqueue.engine.job.JobStore;
import io.rowqueue.engine.support.Outage;
import io.rowqueue.engine.support.RequestChecks;
import io.rowqueue.engine.wakeup.Arrivals;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.DataAccessException;
import org.springframework.dao.DuplicateKeyException;

/** Retries failed jobs. */
final class FailedJobs {

	private static final int JOBS_PER_BATCH = 500;

	private static final Logger logger = LoggerFactory.getLogger(FailedJobs.class);

	private final FailedJobStore store;

	private final JobStore jobs;

	private final Consumer<Arrivals> wakeUp;

	/**
	 * Creates the retries.
	 * @param store retries jobs
	 * @param jobs reads jobs
	 * @param wakeUp wakes workers after the commit
	 */
	FailedJobs(FailedJobStore store, JobStore jobs, Consumer<Arrivals> wakeUp) {
		this.store = store;
		this.jobs = jobs;
		this.wakeUp = wakeUp;
	}

	/** Queues a failed job again. */
	RetryResult retry(long id) {
		return retry(id, () -> this.store.retry(id));
	}

	/** Queues a failed job again, so that it repeats a step and all later ones. */
	RetryResult retryFromStep(long id, String step) {
		RequestChecks.name("the name of a step", step);
		AtomicBoolean unknown = new AtomicBoolean();
		RetryResult result = retry(id, () -> {
			StepRetry retry = this.store.retryFromStep(id, step);
			unknown.set(!retry.known());
			return Optional.ofNullable(retry.job());
		});
		return (unknown.get() && result != RetryResult.NOT_FAILED && result != RetryResult.NOT_FOUND)
				? RetryResult.UNKNOWN_STEP : result;
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
		return this.jobs.find(id).map(FailedJobs::refusal).orElse(RetryResult.NOT_FOUND);
	}

	private static RetryResult refusal(Job job) {
		if (job.state() != JobState.FAILED) {
			return RetryResult.NOT_FAILED;
		}
		// jobs of recurring jobs have no unique keys
		return (job.uniqueKey() != null) ? RetryResult.KEY_TAKEN : RetryResult.OVERLAPS;
	}

	private RetryResult retried(RetriedJob job) {
		if (job.state() == JobState.BLOCKED) {
			return RetryResult.BLOCKED;
		}
		boolean limited = job.state() == JobState.SCHEDULED;
		this.wakeUp.accept(RetriedJob.arrivals(List.of(job)));
		return limited ? RetryResult.SCHEDULED : RetryResult.QUEUED;
	}

	/** Queues all jobs again that have failed until now; returns how many. */
	int retryAll(@Nullable String queue, @Nullable String type) {
		Instant until = this.store.now();
		int retried = 0;
		List<FailedJob> jobs = this.store.failed(queue, type, until, FailedJob.NONE, JOBS_PER_BATCH);
		while (!jobs.isEmpty()) {
			retried += retryAll(jobs.stream().map(FailedJob::id).toList());
			jobs = this.store.failed(queue, type, until, jobs.get(jobs.size() - 1), JOBS_PER_BATCH);
		}
		return retried;
	}

	/** Those that cannot be retried together with the others are retried alone. */
	private int retryAll(List<Long> ids) {
		List<RetriedJob> together = List.of();
		try {
			if (ids.size() > 1) {
				together = this.store.retry(ids);
				this.wakeUp.accept(RetriedJob.arrivals(together));
			}
		}
		catch (DataAccessException ex) {
			if (Outage.isAway(ex)) {
				throw ex;
			}
			logger.debug("{} failed jobs are retried one by one", ids.size(), ex);
		}
		List<Long> alone = new ArrayList<>(ids);
		alone.removeAll(together.stream().map(RetriedJob::id).collect(Collectors.toSet()));
		return (int) (together.stream().filter(RetriedJob::runsAgain).count()
				+ alone.stream().filter((id) -> retry(id).runsAgain()).count());
	}

}

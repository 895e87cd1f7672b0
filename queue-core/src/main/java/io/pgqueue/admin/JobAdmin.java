package io.pgqueue.admin;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

import io.pgqueue.FailedAttempt;
import io.pgqueue.JobRequest;
import io.pgqueue.JobState;
import io.pgqueue.store.AdminStore;
import io.pgqueue.store.AdminStore.RetriedJob;
import io.pgqueue.store.Arrivals;
import io.pgqueue.store.JobStore;
import io.pgqueue.store.Pause;
import io.pgqueue.store.RecordedStep;
import io.pgqueue.store.StepStore;
import io.pgqueue.store.UnhandledJobs;
import io.pgqueue.support.LogText;
import io.pgqueue.wakeup.WakeUps;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.DuplicateKeyException;
import org.springframework.util.Assert;

/**
 * What people do to jobs and queues. Every call commits on its own and holds for the
 * whole cluster.
 *
 * @since 0.1.0
 */
public final class JobAdmin {

	private static final Logger logger = LoggerFactory.getLogger(JobAdmin.class);

	private static final int BATCH = 500;

	private static final int LONGEST_TEXT = 500;

	/** A job may change hands between two looks at it. */
	private static final int TRIES = 5;

	private final AdminStore store;

	private final JobStore jobs;

	private final StepStore steps;

	private final WakeUps wakeUps;

	/**
	 * Creates the administration.
	 * @param store changes jobs
	 * @param jobs reads jobs
	 * @param steps reads what handlers have recorded
	 * @param wakeUps told of jobs that can be claimed again
	 */
	public JobAdmin(AdminStore store, JobStore jobs, StepStore steps, WakeUps wakeUps) {
		this.store = store;
		this.jobs = jobs;
		this.steps = steps;
		this.wakeUps = wakeUps;
	}

	/**
	 * Tells why a job is not running: one reason, the facts that it follows from, and an
	 * estimate where there is one. It changes nothing.
	 * @param id the job
	 * @return the explanation, also if there is no such job
	 */
	public Explanation explain(long id) {
		return explain(id, TextMasker.NONE);
	}

	/**
	 * Does the same for somebody who may not see everything.
	 * @param id the job
	 * @param masker decides what is shown, in the sentences as well as in the facts
	 * @return the explanation, also if there is no such job
	 */
	public Explanation explain(long id, TextMasker masker) {
		MaskedFacts masked = new MaskedFacts(masker);
		return Explainer.explain(id, masked.of(this.store.explain(id)), masked.of(this.store.limits(id)));
	}

	/**
	 * Cancels a job: at once if it waits or has failed, else its worker is told.
	 * @param id the job
	 * @return what became of the request
	 */
	public CancelResult cancel(long id) {
		for (int i = 0; i < TRIES; i++) {
			if (this.store.cancel(id)) {
				return CancelResult.CANCELLED;
			}
			if (this.store.askToStop(id)) {
				return CancelResult.REQUESTED;
			}
		}
		return CancelResult.NOT_FOUND;
	}

	/**
	 * Queues a failed job again, with all its attempts before it. Jobs that failed
	 * because this one did wait for it again.
	 * @param id the job
	 * @return what became of the request
	 */
	public RetryResult retry(long id) {
		try {
			Optional<RetriedJob> retried = this.store.retry(id);
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
		this.wakeUps.jobsArrived(Arrivals.of(job.queue(), limited));
		return limited ? RetryResult.SCHEDULED : RetryResult.QUEUED;
	}

	/**
	 * Queues all failed jobs again, except those whose unique key another job has taken.
	 * @param queue only of this queue, or {@code null} for all
	 * @param type only of this type, or {@code null} for all
	 * @return how many are queued again
	 */
	public int retryAll(@Nullable String queue, @Nullable String type) {
		int retried = 0;
		List<Long> ids = this.store.failed(queue, type, 0, BATCH);
		while (!ids.isEmpty()) {
			for (long id : ids) {
				retried += retry(id).runsAgain() ? 1 : 0;
			}
			ids = this.store.failed(queue, type, ids.get(ids.size() - 1), BATCH);
		}
		return retried;
	}

	/**
	 * Moves a waiting job to another time.
	 * @param id the job
	 * @param delay how long from now it is due, by the database's clock, at most 365000
	 * days
	 * @return whether the job was waiting
	 */
	public boolean reschedule(long id, Duration delay) {
		Assert.isTrue(!delay.isNegative() && delay.compareTo(JobRequest.MAX_DELAY) <= 0,
				() -> "delay must be from 0 to 365000 days, not " + delay);
		Optional<Arrivals> rescheduled = this.store.reschedule(id, delay);
		if (delay.isZero()) {
			rescheduled.ifPresent(this.wakeUps::jobsArrived);
		}
		return rescheduled.isPresent();
	}

	/**
	 * Gives a waiting job another priority.
	 * @param id the job
	 * @param priority a bigger number goes first, from -32768 to 32767
	 * @return whether the job was waiting
	 */
	public boolean prioritize(long id, int priority) {
		Assert.isTrue(priority >= Short.MIN_VALUE && priority <= Short.MAX_VALUE,
				() -> "priority must be from -32768 to 32767, not " + priority);
		List<String> queue = this.store.prioritize(id, priority);
		this.wakeUps.jobsArrived(Arrivals.of(queue));
		return !queue.isEmpty();
	}

	/**
	 * Lets no worker claim jobs of a queue until it is resumed. What runs goes on.
	 * @param queue the name of the queue
	 * @param reason for those who wonder, or {@code null}
	 * @return false if it was paused already; that reason stays
	 */
	public boolean pauseQueue(String queue, @Nullable String reason) {
		return pause(Pause.QUEUE, queue, reason);
	}

	/**
	 * Lets a queue be claimed again.
	 * @param queue the name of the queue
	 * @return whether it was paused
	 */
	public boolean resumeQueue(String queue) {
		boolean paused = resume(Pause.QUEUE, queue);
		this.wakeUps.jobsArrived(Arrivals.of(queue));
		return paused;
	}

	/**
	 * Lets no worker claim jobs of a type until it is resumed. What runs goes on.
	 * @param type the type
	 * @param reason for those who wonder, or {@code null}
	 * @return false if it was paused already; that reason stays
	 */
	public boolean pauseType(String type, @Nullable String reason) {
		return pause(Pause.TYPE, type, reason);
	}

	/**
	 * Lets a type be claimed again; workers notice when they poll.
	 * @param type the type
	 * @return whether it was paused
	 */
	public boolean resumeType(String type) {
		return resume(Pause.TYPE, type);
	}

	private boolean pause(String kind, String name, @Nullable String reason) {
		boolean paused = this.store.pause(kind, name, reason);
		if (paused) {
			logger.info("The {} '{}' is paused: {}", kind, LogText.oneLine(name, LONGEST_TEXT),
					(reason != null) ? LogText.oneLine(reason, LONGEST_TEXT) : "no reason was given");
		}
		return paused;
	}

	private boolean resume(String kind, String name) {
		boolean resumed = this.store.resume(kind, name);
		if (resumed) {
			logger.info("The {} '{}' is resumed", kind, LogText.oneLine(name, LONGEST_TEXT));
		}
		return resumed;
	}

	/**
	 * Whether anything is known of a queue: a living worker has slots of its own for it,
	 * or the latest measurement found jobs of it. Whoever pauses one that is not known
	 * may have misspelled its name.
	 * @param queue the name of the queue
	 * @return false also for a queue that is new
	 */
	public boolean isKnownQueue(String queue) {
		return queue.equals(JobRequest.DEFAULT_QUEUE) || this.store.isKnown(Pause.QUEUE, queue);
	}

	/**
	 * Whether anything is known of a type: a living worker has a handler for it, or the
	 * latest measurement found jobs of it that nobody runs.
	 * @param type the type
	 * @return false also for a type that is new
	 */
	public boolean isKnownType(String type) {
		return this.store.isKnown(Pause.TYPE, type);
	}

	/**
	 * What is paused.
	 * @return queues, then types, by name
	 */
	public List<Pause> pauses() {
		return this.store.pauses();
	}

	/**
	 * Due jobs that wait because no living worker has a handler for their type and slots
	 * for their queue. A process that stops, a type that was renamed and a deployment in
	 * which the enqueuing side came first all show here; the jobs wait, and no worker
	 * touches them.
	 * @return by queue and type; empty if all waiting jobs can be run
	 */
	public List<UnhandledJobs> unhandled() {
		return this.store.unhandled();
	}

	/**
	 * The steps of a job that are done, as {@code JobContext.step} has recorded them.
	 * @param id the job
	 * @return the first one first; empty if it has none or is over
	 */
	public List<RecordedStep> steps(long id) {
		return this.steps.list(id);
	}

	/**
	 * The failed attempts of a job.
	 * @param id the job
	 * @return the first one first; empty if none failed, or they are no longer kept
	 */
	public List<FailedAttempt> failures(long id) {
		return this.store.failures(id);
	}

}
